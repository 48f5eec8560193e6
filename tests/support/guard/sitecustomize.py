"""Guards every Python process that a test starts with this folder on PYTHONPATH."""

import loopback

loopback.install()
