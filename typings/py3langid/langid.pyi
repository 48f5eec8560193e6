from collections.abc import Sequence

MODEL_FILE: str

class LanguageIdentifier:
    nb_classes: Sequence[str]
    @classmethod
    def from_model_file(cls, model_file: str, *, norm_probs: bool = ...) -> LanguageIdentifier: ...
    def set_languages(self, langs: Sequence[str] | None = ...) -> None: ...
    def classify(self, text: str) -> tuple[str, float]: ...
