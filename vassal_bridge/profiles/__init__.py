"""What a VASSAL module means as a game: read from data, nothing of it is code."""

from vassal_bridge.profiles.profile import Profile, find_profile, load_profile
from vassal_bridge.profiles.reading import Clock, MarkerCounter, Reading, Unread

__all__ = ["Clock", "MarkerCounter", "Profile", "Reading", "Unread", "find_profile", "load_profile"]
