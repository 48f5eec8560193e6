"""The reader that ships with foureyes: the model behind a memory of scores and a shared file."""

from __future__ import annotations

import hashlib
import os
import sqlite3
import threading
from collections.abc import Generator, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import structlog
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from ...base.errors import InputError, first_mistake
from ...base.registry import packaged_config
from .model import StanceScores, TextPair

if TYPE_CHECKING:
    from onnxruntime import InferenceSession, SessionOptions
    from tokenizers import Tokenizer


MOST_THREADS = 2
"""Threads that read at once by default: several processes often share a machine."""

_IDS, _PROBABILITIES = "ids", "probabilities"
_BEGIN, _SEPARATOR = "<s>", "</s>"
CARD_FILE, MODEL_FILE, TOKENIZER_FILE = "card.json", "model.onnx", "tokenizer.json"
Label = Literal["supports", "contradicts", "neutral"]
_PAIR_FORMAT = "<s> passage </s></s> claim </s>"
"""Part of the identity: scores depend on it as much as on the weights."""

MOST_IN_MEMORY = 50_000
"""Scores that a process keeps."""

_PAIRS_A_STEP = 64
"""Scores are cached after so many pairs, so that an interrupted check loses little."""
MOST_SCORES = 500_000
"""Entries that are kept, of about 120 bytes each."""
_FILE = "scores.sqlite3"
_BUSY_SECONDS = 2.0
# The number of variables in a statement is limited.
_KEYS_A_QUERY = 500
_TABLE = (
    "CREATE TABLE IF NOT EXISTS scores (id INTEGER PRIMARY KEY AUTOINCREMENT, "
    "key BLOB NOT NULL UNIQUE, supports REAL NOT NULL, contradicts REAL NOT NULL, "
    "neutral REAL NOT NULL)"
)


@dataclass(frozen=True, slots=True)
class _LoadedModel:
    card: ModelCard
    tokenizer: Tokenizer
    session: InferenceSession

    def score(self, pair: TextPair) -> StanceScores:
        import numpy as np

        ids = np.array(self._encode(*pair), dtype="int64")
        ((row,),) = (array.tolist() for array in self.session.run([_PROBABILITIES], {_IDS: ids}))
        return StanceScores(**dict(zip(self.card.labels, row, strict=True)))

    def _encode(self, passage: str, claim: str) -> list[int]:
        claim_ids = self._tokens(claim)[: self.card.max_claim_tokens]
        begin = self.tokenizer.token_to_id(_BEGIN)
        end = self.tokenizer.token_to_id(_SEPARATOR)
        room = self.card.max_tokens - len(claim_ids) - 4
        return [begin, *self._tokens(passage)[:room], end, end, *claim_ids, end]

    def _tokens(self, text: str) -> list[int]:
        # One text at a time: a batch starts threads of the library's own, which do not survive a
        # fork. A lone surrogate is no text to the library.
        plain = text.encode("utf-8", "replace").decode("utf-8")
        return self.tokenizer.encode(plain, add_special_tokens=False).ids


class OnnxModel:
    """Computes scores by the model in `folder`; threads may share an object.

    Each pair is read by itself: batches were no faster, and what stands beside a pair can't change
    its scores.

    Args:
        folder: Where the files and their card are.
        threads: Pairs that are read at once; `MOST_THREADS` by default, fewer on fewer cores.
    """

    def __init__(self, folder: Path, threads: int | None = None) -> None:
        self.folder = folder
        self._threads = threads or min(MOST_THREADS, _cores())
        self._lock = threading.Lock()
        self._loaded: _LoadedModel | None = None

    @cached_property
    def card(self) -> ModelCard:
        """The model's card.

        Raises:
            InputError: It is missing or does not validate.
        """
        return load_card(self.folder)

    def load(self) -> _LoadedModel:
        """Load the model now; the first `score` does the same.

        Raises:
            InputError: A file is missing, or another one than the card says; the message names it.
        """
        with self._lock:
            if self._loaded is None:
                self._loaded = _load(self.folder, self.card)
            return self._loaded

    def score(self, pairs: Sequence[TextPair]) -> list[StanceScores]:
        """Scores of `pairs`, in their order.

        Raises:
            InputError: As for `load`.
        """
        model = self.load()
        if len(pairs) < 2 or self._threads == 1:
            return [model.score(pair) for pair in pairs]
        with ThreadPoolExecutor(self._threads, thread_name_prefix="foureyes-reader") as pool:
            return list(pool.map(model.score, pairs))


def _load(folder: Path, card: ModelCard) -> _LoadedModel:
    check_files(folder, card)
    # The runtime reports its use to its vendor unless this stands before it is loaded; its own
    # function for it does not keep it from that.
    os.putenv("ORT_DISABLE_TELEMETRY", "1")
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

    path = folder / TOKENIZER_FILE
    # Both libraries raise bare exceptions, or some of their own.
    try:
        tokenizer = Tokenizer.from_file(str(path))
        # Installers may link each file to a cache; the runtime refuses weights that lie elsewhere
        # than the model.
        path = (folder / MODEL_FILE).resolve()
        session = InferenceSession(str(path), _options(), providers=["CPUExecutionProvider"])
    except Exception as error:
        raise broken(path, " ".join(str(error).split())[:200]) from error
    return _LoadedModel(card, tokenizer, session)


def _options() -> SessionOptions:
    from onnxruntime import GraphOptimizationLevel, SessionOptions

    options = SessionOptions()
    # The graph is written as it should run: looking for a better one takes a third of a second of
    # every start, and finds nothing.
    options.graph_optimization_level = GraphOptimizationLevel.ORT_DISABLE_ALL
    # Pairs are read side by side instead, which takes no waiting for each other.
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # Patterns are kept for each length of input, of which there are hundreds.
    options.enable_mem_pattern = False
    # Planning the reuse of buffers takes 2 s at loading with onnxruntime 1.31, and saves nothing.
    options.enable_mem_reuse = False
    return options


def _cores() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on macOS and Windows
        return os.cpu_count() or 1


class _CardModel(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ModelFile(_CardModel):
    """A file that the scores depend on."""

    name: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")
    bytes: int = Field(gt=0)
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")


class DataSet(_CardModel):
    """A set that the model was trained on."""

    name: str
    rows: int = Field(gt=0)
    source: str
    licence: str


class ModelCard(_CardModel):
    """`config/models/card.json`.

    `labels` are the model's outputs in order. Lengths are in tokens; of a pair that is longer than
    `max_tokens` the passage is cut.
    """

    name: str
    licence: str
    labels: tuple[Label, Label, Label]
    max_tokens: int = Field(ge=16)
    max_claim_tokens: int = Field(ge=4)
    files: tuple[ModelFile, ...]
    quantisation: str
    base: str
    data: tuple[DataSet, ...]

    @model_validator(mode="after")
    def _complete(self) -> ModelCard:
        if len(set(self.labels)) != len(self.labels):
            raise ValueError("labels must be supports, contradicts and neutral, each once")
        missing = {MODEL_FILE, TOKENIZER_FILE} - {file.name for file in self.files}
        if missing:
            raise ValueError(f"files must name {min(missing)}")
        return self

    @cached_property
    def identity(self) -> str:
        """A SHA-256 of all that determines the scores: files, labels, lengths and pair format."""
        digest = hashlib.sha256(
            f"{_PAIR_FORMAT}\n{self.labels}\n{self.max_tokens} {self.max_claim_tokens}".encode()
        )
        for file in sorted(self.files, key=lambda one: one.name):
            digest.update(f"\n{file.name} {file.sha256}".encode())
        return digest.hexdigest()


def load_card(folder: Path) -> ModelCard:
    """Read the card of the model in `folder`.

    Raises:
        InputError: It is missing or does not validate.
    """
    path = folder / CARD_FILE
    try:
        return ModelCard.model_validate_json(path.read_bytes())
    except OSError as error:
        raise broken(path, error.strerror or type(error).__name__) from error
    except ValidationError as error:
        raise broken(path, first_mistake(error)) from error


def check_files(folder: Path, card: ModelCard) -> None:
    """Compare the model's files with the hashes of its card.

    Raises:
        InputError: A file is missing, unreadable or another one; the message names it.
    """
    for file in card.files:
        path = folder / file.name
        try:
            with path.open("rb") as stream:
                found = hashlib.file_digest(stream, "sha256").hexdigest()
        except OSError as error:
            raise broken(path, error.strerror or type(error).__name__) from error
        if found != file.sha256:
            raise broken(path, f"its SHA-256 is {found[:12]}…, not {file.sha256[:12]}…")


def broken(path: Path, reason: str) -> InputError:
    """The error for a file of the model that cannot be used."""
    return InputError(
        f"cannot load the reader from {str(path)!r}: {reason}",
        "install foureyes again, or check without it: --reader none",
    )


class OnnxReader:
    """Reads each pair once: scores are kept in memory and, with a `cache`, on disk.

    Args:
        model: Computes what is not known yet.
        cache: Scores that processes share; None keeps them in memory alone.
    """

    def __init__(self, model: OnnxModel, cache: ScoreCache | None = None) -> None:
        self.model = model
        self._cache = cache
        self._memory: dict[bytes, StanceScores] = {}
        self._lock = threading.Lock()

    @property
    def available(self) -> bool:
        """Always: that a file is broken shows at the first read."""
        return True

    @property
    def identity(self) -> str:
        """A SHA-256 of the model's files and of how pairs are laid before it.

        Raises:
            InputError: The model's card is missing or broken.
        """
        return self.model.card.identity

    def read(self, pairs: Sequence[TextPair]) -> Sequence[StanceScores]:
        """Scores of `pairs`, in their order; the model is loaded if one is not known yet.

        Raises:
            InputError: A file of the model is missing or broken; the message names it.
        """
        keys = [score_key(self.identity, pair) for pair in pairs]
        with self._lock:
            known = {key: self._memory[key] for key in keys if key in self._memory}
        wanted = {key: pair for key, pair in zip(keys, pairs, strict=True) if key not in known}
        if wanted and self._cache is not None:
            cached = self._cache.find(list(wanted))
            self._keep(cached)
            known |= cached
        unread = [key for key in wanted if key not in known]
        for at in range(0, len(unread), _PAIRS_A_STEP):
            step = unread[at : at + _PAIRS_A_STEP]
            computed = self.model.score([wanted[key] for key in step])
            new = dict(zip(step, computed, strict=True))
            known |= new
            self._keep(new)
            if self._cache is not None:
                self._cache.add(new.items())
        return [known[key] for key in keys]

    def _keep(self, scores: Mapping[bytes, StanceScores]) -> None:
        with self._lock:
            self._memory.update(scores)
            while len(self._memory) > MOST_IN_MEMORY:
                del self._memory[next(iter(self._memory))]


def models_folder() -> Path:
    """Where the files of the packaged reader are."""
    return Path(str(packaged_config() / "models"))


@cache
def packaged_model() -> OnnxModel:
    """The model that ships with foureyes, of which a process loads one."""
    return OnnxModel(models_folder())


@cache
def packaged_reader(cache_folder: Path | None = None) -> OnnxReader:
    """The reader of the packaged model, one for each folder of cached scores.

    Args:
        cache_folder: Where scores are shared with other processes; None for nowhere.
    """
    cache = ScoreCache(cache_folder) if cache_folder is not None else None
    return OnnxReader(packaged_model(), cache)


def score_key(identity: str, pair: TextPair) -> bytes:
    """Key of the score that the model `identity` gives to `pair`."""
    digest = hashlib.sha256(identity.encode())
    for text in pair:
        data = text.encode("utf-8", "surrogatepass")
        # The length keeps ("ab", "c") apart from ("a", "bc").
        digest.update(b"\n%d\n" % len(data))
        digest.update(data)
    return digest.digest()


class ScoreCache:
    """Scores by key, the oldest dropped beyond a limit. Any number of processes may share a folder.

    A file that is broken, locked or not writable never fails a caller: the first error is logged,
    and the object goes without the file from then on.

    Args:
        folder: Where the file is; it is created at the first write.
        limit: Entries that are kept.
    """

    def __init__(self, folder: Path, limit: int = MOST_SCORES) -> None:
        self._path = folder / _FILE
        self._limit = limit
        self._usable = True

    def find(self, keys: Sequence[bytes]) -> Mapping[bytes, StanceScores]:
        """The scores that are known of `keys`."""
        found: dict[bytes, StanceScores] = {}
        if not (self._usable and self._path.exists()):
            return found
        with self._logged_errors(), self._open() as base:
            for at in range(0, len(keys), _KEYS_A_QUERY):
                part = keys[at : at + _KEYS_A_QUERY]
                marks = ",".join("?" * len(part))
                query = (
                    f"SELECT key, supports, contradicts, neutral FROM scores WHERE key IN ({marks})"
                )
                found |= {key: StanceScores(*scores) for key, *scores in base.execute(query, part)}
        return found

    def add(self, scores: Iterable[tuple[bytes, StanceScores]]) -> None:
        """Store `scores` under their keys, and drop what is beyond the limit."""
        if not self._usable:
            return
        rows = [(key, one.supports, one.contradicts, one.neutral) for key, one in scores]
        with self._logged_errors():
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._open() as base, base:
                base.executemany(
                    "INSERT OR IGNORE INTO scores (key, supports, contradicts, neutral) "
                    "VALUES (?, ?, ?, ?)",
                    rows,
                )
                base.execute(
                    "DELETE FROM scores WHERE id <= (SELECT max(id) FROM scores) - ?",
                    (self._limit,),
                )

    @contextmanager
    def _open(self) -> Generator[sqlite3.Connection]:
        with closing(sqlite3.connect(self._path, timeout=_BUSY_SECONDS)) as base:
            base.execute("PRAGMA journal_mode = WAL")
            # With WAL this never breaks the file; what a power failure takes is computed again.
            base.execute("PRAGMA synchronous = NORMAL")
            base.execute(_TABLE)
            yield base

    @contextmanager
    def _logged_errors(self) -> Generator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            self._usable = False
            structlog.get_logger().warning(
                "scores of the reader are not cached", file=str(self._path), reason=str(error)
            )
