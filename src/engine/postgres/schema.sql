CREATE SCHEMA IF NOT EXISTS foureyes;
CREATE TABLE IF NOT EXISTS foureyes.version (number integer NOT NULL);

-- `claim` counts the workers that took the job: what an earlier one writes is refused.
CREATE TABLE IF NOT EXISTS foureyes.jobs (
    key text PRIMARY KEY,
    number bigint GENERATED ALWAYS AS IDENTITY,
    job_group text NOT NULL,
    job text NOT NULL,
    program text NOT NULL,
    cancelled boolean NOT NULL DEFAULT false,
    claim bigint NOT NULL DEFAULT 0,
    releases bigint NOT NULL DEFAULT 0,
    worker text NOT NULL DEFAULT '',
    finished text
);
CREATE INDEX IF NOT EXISTS jobs_by_group ON foureyes.jobs (job_group, number);
CREATE INDEX IF NOT EXISTS jobs_in_turn ON foureyes.jobs (number)
    WHERE finished IS NULL;
CREATE INDEX IF NOT EXISTS jobs_open ON foureyes.jobs (job_group, program) WHERE finished IS NULL;
CREATE TABLE IF NOT EXISTS foureyes.workers (
    name text PRIMARY KEY,
    seen timestamptz NOT NULL
);
CREATE TABLE IF NOT EXISTS foureyes.limits (
    name text PRIMARY KEY,
    call_limit text NOT NULL
);
CREATE TABLE IF NOT EXISTS foureyes.starts (
    name text NOT NULL,
    at timestamptz NOT NULL
);
CREATE INDEX IF NOT EXISTS starts_by_time ON foureyes.starts (name, at);
CREATE TABLE IF NOT EXISTS foureyes.places (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL,
    worker text NOT NULL
);
