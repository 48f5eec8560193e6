"""foureyes: nothing ships until two independent checkers have approved it."""

__version__ = "0.1.0"
__all__ = ["__version__"]
