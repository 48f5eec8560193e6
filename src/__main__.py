"""`python -m foureyes` is the same command as `foureyes`."""

from .cli import main

if __name__ == "__main__":
    main()
