"""The prices of models that the CLI does not know: `config/registry/prices.yaml`."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated

from pydantic import Field

from ...base.registry import RegistryModel
from ...core.tasks import TurnUsage

PRICES_FILE = "prices.yaml"
_A_MILLION = 1_000_000

Dollars = Annotated[Decimal, Field(ge=0, le=100_000)]


class ModelPrice(RegistryModel):
    """Dollars for a million tokens of each kind."""

    input: Dollars
    output: Dollars
    cache_read: Dollars
    cache_write: Dollars

    def of(self, usage: TurnUsage) -> Decimal:
        """The dollars that the tokens of `usage` cost, to a millionth."""
        cost = (
            self.input * usage.input_tokens
            + self.output * usage.output_tokens
            + self.cache_read * usage.cache_read_tokens
            + self.cache_write * usage.cache_write_tokens
        )
        return (cost / _A_MILLION).quantize(Decimal("0.000001"))


class Prices(RegistryModel):
    """The whole of `prices.yaml`, by the name of the model that is asked for."""

    models: Mapping[str, ModelPrice]
