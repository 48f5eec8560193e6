from types import ModuleType

plain: ModuleType
