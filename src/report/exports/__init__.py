"""Findings, claims and provenance of a document in the formats that other tools read."""

from __future__ import annotations

from enum import StrEnum


class ExportFormat(StrEnum):
    """Format of an export. It is defined here so that `--help` loads no exporter."""

    SARIF = "sarif"
    WEB_ANNOTATION = "web-annotation"
    JUNIT = "junit"
    CLAIM_REVIEW = "claim-review"
    PROV_JSON = "prov-json"
    CSL_JSON = "csl-json"
    BIBTEX = "bibtex"
