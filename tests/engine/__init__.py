"""The real VASSAL engine, driven from tests."""
