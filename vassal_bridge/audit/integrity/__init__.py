"""The integrity audit: is the record whole, what was rolled, what was taken back, who saw what he should not see."""

from vassal_bridge.audit.integrity.audit import Openable, audit_integrity, files_in
from vassal_bridge.audit.integrity.catalogue import CATALOGUE, explanation_of
from vassal_bridge.audit.integrity.result import Integrity, Note

__all__ = ["CATALOGUE", "Integrity", "Note", "Openable", "audit_integrity", "explanation_of", "files_in"]
