"""The files of the registry, with the models of them."""

from __future__ import annotations

from ..agents.fact_check_merge import FactCheckerRules
from ..agents.judge import JudgeRules
from ..backends.claude.prices import Prices
from ..backends.offline.rules import ExtractionFile, Rubric
from ..claims.arithmetic.attributes import ConsistencyFile
from ..claims.files import ClaimsFile as ClaimWordsFile
from ..claims.files import WordsFile
from ..claims.framing import FramingFile
from ..claims.names import EntitiesFile
from ..claims.regulations import RegulationsFile
from ..claims.routing import RoutingFile
from ..claims.statements.clauses import ClausesFile
from ..claims.statements.coreference import ReferentsFile
from ..core.brief import BriefRules
from ..core.outline import Wordings
from ..documents.words import DocumentWords
from ..redteam.rules import RedTeamRules
from ..report.schemas import Artefact, Where
from ..review.limits import LimitRules
from ..review.source_notes import WebReviewPolicy
from ..sources.policy import FetchPolicy
from ..sources.scoring.rules import AuthorityClasses, ScoringRules
from ..sources.scoring.sites import SiteList
from ..sources.search.policy import SearchPolicy
from ..verification.challenge.policy import ChallengePolicy
from ..verification.deepening.policy import DeepeningPolicy
from ..verification.gate.policy import GateProfiles
from ..verification.policy import VerificationPolicy
from ..verification.quality.critique_policy import CritiquePolicy
from ..verification.severity import SeverityPolicy

REGISTRY_ARTEFACTS: tuple[Artefact, ...] = (
    Artefact(
        "registry-authority",
        Where.REGISTRY,
        "authority.yaml",
        AuthorityClasses,
        "The classes of sites: points, weight, tier and how they are cited.",
    ),
    Artefact(
        "registry-brief",
        Where.REGISTRY,
        "brief.yaml",
        BriefRules,
        "How briefs word what they ask for.",
    ),
    Artefact(
        "registry-challenge",
        Where.REGISTRY,
        "challenge.yaml",
        ChallengePolicy,
        "Which claims are challenged after their check, and how far.",
    ),
    Artefact(
        "registry-claims",
        Where.REGISTRY,
        "claims.yaml",
        ClaimWordsFile,
        "The words by which claims are told from other sentences.",
    ),
    Artefact(
        "registry-clauses",
        Where.REGISTRY,
        "clauses.yaml",
        ClausesFile,
        "The words at which compound sentences are split.",
    ),
    Artefact(
        "registry-consistency",
        Where.REGISTRY,
        "consistency.yaml",
        ConsistencyFile,
        "Which figures of a document must agree with each other.",
    ),
    Artefact(
        "registry-critique",
        Where.REGISTRY,
        "critique.yaml",
        CritiquePolicy,
        "The dimensions of the critique, their weights and bars.",
    ),
    Artefact(
        "registry-deepening",
        Where.REGISTRY,
        "deepening.yaml",
        DeepeningPolicy,
        "When gaps in the evidence are looked into further.",
    ),
    Artefact(
        "registry-documents",
        Where.REGISTRY,
        "documents.yaml",
        DocumentWords,
        "The words by which the parts of a document are told.",
    ),
    Artefact(
        "registry-entities",
        Where.REGISTRY,
        "entities.yaml",
        EntitiesFile,
        "The words by which names are told.",
    ),
    Artefact(
        "registry-extraction",
        Where.REGISTRY,
        "extraction.yaml",
        ExtractionFile,
        "How the offline analyst picks sentences from the sources.",
    ),
    Artefact(
        "registry-fact-checker",
        Where.REGISTRY,
        "fact_checker.yaml",
        FactCheckerRules,
        "How bad the issues are that the fact checker raises.",
    ),
    Artefact(
        "registry-fetch",
        Where.REGISTRY,
        "fetch.yaml",
        FetchPolicy,
        "Limits of fetching: sizes, times, types and states.",
    ),
    Artefact(
        "registry-framing",
        Where.REGISTRY,
        "framing.yaml",
        FramingFile,
        "The words by which a document speaks of itself, and its author of plans.",
    ),
    Artefact(
        "registry-gate",
        Where.REGISTRY,
        "gate.yaml",
        GateProfiles,
        "The limits of the evidence gate, by profile.",
    ),
    Artefact(
        "registry-judge",
        Where.REGISTRY,
        "judge.yaml",
        JudgeRules,
        "The judge's scores below which an approval is withheld.",
    ),
    Artefact(
        "registry-redteam",
        Where.REGISTRY,
        "redteam.yaml",
        RedTeamRules,
        "The rules of the red reviewers.",
    ),
    Artefact(
        "registry-referents",
        Where.REGISTRY,
        "referents.yaml",
        ReferentsFile,
        "The words that stand for something named before.",
    ),
    Artefact(
        "registry-regulations",
        Where.REGISTRY,
        "regulations.yaml",
        RegulationsFile,
        "The forms of references to laws, rules and standards.",
    ),
    Artefact(
        "registry-routing",
        Where.REGISTRY,
        "routing.yaml",
        RoutingFile,
        "The words by which claims are routed to who can check them.",
    ),
    Artefact(
        "registry-rubric",
        Where.REGISTRY,
        "rubric.yaml",
        Rubric,
        "The limits of the offline reviewer.",
    ),
    Artefact(
        "registry-scoring",
        Where.REGISTRY,
        "scoring.yaml",
        ScoringRules,
        "How sources are scored, tiered and weighed.",
    ),
    Artefact(
        "registry-prices",
        Where.REGISTRY,
        "prices.yaml",
        Prices,
        "What models cost that the CLI has no price for.",
    ),
    Artefact(
        "registry-search", Where.REGISTRY, "search.yaml", SearchPolicy, "Limits of searching."
    ),
    Artefact(
        "registry-severity",
        Where.REGISTRY,
        "severity.yaml",
        SeverityPolicy,
        "How bad each sort of finding is, and what rejects.",
    ),
    Artefact(
        "registry-smoke",
        Where.REGISTRY,
        "smoke.yaml",
        LimitRules,
        "The words that a claim may not leave out.",
    ),
    Artefact(
        "registry-verification",
        Where.REGISTRY,
        "verification.yaml",
        VerificationPolicy,
        "The thresholds by which claims are compared with sources.",
    ),
    Artefact(
        "registry-web-review",
        Where.REGISTRY,
        "web_review.yaml",
        WebReviewPolicy,
        "Limits of what a review looks up.",
    ),
    Artefact(
        "registry-wording",
        Where.REGISTRY,
        "wording.yaml",
        Wordings,
        "The wording of drafts, by language.",
    ),
    Artefact(
        "registry-words",
        Where.REGISTRY,
        "words.yaml",
        WordsFile,
        "Forms of words, and words that say little.",
    ),
    Artefact(
        "registry-sites", Where.REGISTRY, "sites_*.yaml", SiteList, "Which site is of which class."
    ),
)
"""By name; each is also what a file of that name in a `--registry-dir` holds."""
