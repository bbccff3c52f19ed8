"""Read VASSAL modules, saves and logs, and audit the games in them."""

__version__ = "0.1.0"

__all__ = ["__version__"]
