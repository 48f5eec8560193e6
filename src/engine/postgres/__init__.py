"""The engine of many machines: jobs in PostgreSQL, placed and woken by DBOS."""
