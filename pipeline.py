"""`python -m pipeline` is the same command as `foureyes`."""

from foureyes.cli import main

if __name__ == "__main__":
    main()
