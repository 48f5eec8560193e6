from ctypes import c_int, c_uint

from . import PdfObject, PdfPage, PdfTextPage

FPDF_PAGEOBJ_TEXT: int
FPDF_PAGEOBJ_IMAGE: int
FPDF_TEXTRENDERMODE_FILL: int
FPDF_TEXTRENDERMODE_INVISIBLE: int
FPDF_TEXTRENDERMODE_CLIP: int

class _Mark: ...
class _Object: ...

def FPDFPageObj_CountMarks(page_object: PdfObject) -> int: ...
def FPDFPageObj_GetMark(page_object: PdfObject, index: int) -> _Mark: ...
def FPDFPageObjMark_RemoveParam(page_object: PdfObject, mark: _Mark, key: bytes) -> int: ...
def FPDFText_GetUnicode(text_page: PdfTextPage, index: int) -> int: ...
def FPDFText_GetTextObject(text_page: PdfTextPage, index: int) -> _Object: ...
def FPDFTextObj_GetTextRenderMode(text: _Object) -> int: ...
def FPDFText_GetFillColor(
    text_page: PdfTextPage, index: int, red: c_uint, green: c_uint, blue: c_uint, alpha: c_uint
) -> int: ...
def FPDF_PageToDevice(
    page: PdfPage,
    start_x: int,
    start_y: int,
    size_x: int,
    size_y: int,
    rotate: int,
    page_x: float,
    page_y: float,
    device_x: c_int,
    device_y: c_int,
) -> int: ...
