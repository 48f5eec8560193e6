"""The part of webencodings that foureyes uses; the package has no types of its own."""

import codecs

class Encoding:
    name: str
    codec_info: codecs.CodecInfo

def lookup(label: str) -> Encoding | None: ...
