"""The JSON Schema files that we ship, made from the models.

``python -m vassal_bridge.report.schema_files`` writes them anew; a test asks whether they are current.
"""

from __future__ import annotations

import json
from pathlib import Path

from pydantic import BaseModel

from vassal_bridge.report.models import BoardReport, CasesReport, Report, RulesReport, TranscriptEvent

__all__ = ["FOLDER", "SCHEMAS", "schema_text", "write_schemas"]

FOLDER = Path(__file__).parent / "schemas"

SCHEMAS: dict[str, type[BaseModel]] = {
    "report-1": Report,
    "board-1": BoardReport,
    "event-1": TranscriptEvent,
    "cases-1": CasesReport,
    "rules-1": RulesReport,
}


def schema_text(name: str) -> str:
    """Return the text of one schema file."""
    schema = SCHEMAS[name].model_json_schema(mode="serialization")
    return json.dumps({"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}, indent=2) + "\n"


def write_schemas(folder: Path = FOLDER) -> None:
    """Write all schema files."""
    for name in SCHEMAS:
        (folder / f"{name}.json").write_text(schema_text(name), encoding="utf-8")


if __name__ == "__main__":
    write_schemas()
