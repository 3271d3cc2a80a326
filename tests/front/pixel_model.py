"""What the specification says of pixel transfers (8.4.4), in NumPy and without a thought for speed.

Where it leaves the arithmetic open, as Mesa does: up to 16 bits in single precision, depth cut to 24 bits.
"""

import numpy as np

from mgpipe.catalogue.formats import PIXEL_FORMATS, PIXEL_TYPES, Kind

FORMAT = {f.name: f for f in PIXEL_FORMATS}
TYPE = {t.name: t for t in PIXEL_TYPES}
DTYPE = {
    "UNSIGNED_BYTE": "<u1", "BYTE": "<i1", "UNSIGNED_SHORT": "<u2", "SHORT": "<i2", "UNSIGNED_INT": "<u4", "INT": "<i4",
    "HALF_FLOAT": "<f2", "FLOAT": "<f4",
}
ALPHA, DEPTH, STENCIL = 3, 4, 5


def group_bytes(format_name: str, type_name: str) -> int:
    t = TYPE[type_name]
    return t.size_bytes if t.fields else t.size_bytes * len(FORMAT[format_name].components)


def from_fixed(values: np.ndarray, top: int) -> np.ndarray:
    if top > 65535:
        return values / top
    return values.astype(np.float32) * (np.float32(1) / np.float32(top))


def to_fixed(values: np.ndarray, top: int) -> np.ndarray:
    values = np.nan_to_num(values, nan=0.0)
    return np.rint(values * top) if top > 65535 else np.rint(values.astype(np.float32) * np.float32(top))


def unsigned_float(bits: np.ndarray, mantissa: int) -> np.ndarray:
    exponent, fraction = bits >> mantissa, bits & ((1 << mantissa) - 1)
    small = fraction * 2.0 ** (-14 - mantissa)
    normal = 2.0 ** (exponent.astype(float) - 15) * (1 + fraction / 2.0 ** mantissa)
    special = np.where(fraction == 0, np.inf, np.nan)
    return np.where(exponent == 0, small, np.where(exponent == 31, special, normal))


def to_unsigned_float(values: np.ndarray, mantissa: int) -> np.ndarray:
    """By search through every representable value: nearest, ties to the even pattern, finite stays finite."""
    known = unsigned_float(np.arange(31 << mantissa), mantissa)
    out = np.empty(values.shape, np.int64)
    for i, value in np.ndenumerate(values):
        if np.isnan(value):
            out[i] = (31 << mantissa) | 1
        elif value == np.inf:
            out[i] = 31 << mantissa
        elif value <= 0:
            out[i] = 0
        else:
            at = min(int(np.searchsorted(known, value)), len(known) - 1)
            below = max(at - 1, 0)
            low, high = value - known[below], known[at] - value
            out[i] = below if low < high or (low == high and below % 2 == 0) else at
    return out


def to_shared_exponent(rgb: np.ndarray) -> np.ndarray:
    out = np.empty(len(rgb), np.int64)
    for i, color in enumerate(rgb):
        color = np.clip(np.nan_to_num(color, nan=0.0, posinf=65408.0, neginf=0.0), 0, 65408.0)
        top = color.max()
        exponent = max(-16, int(np.floor(np.log2(top))) if top > 0 else -16) + 16
        if np.floor(top / 2.0 ** (exponent - 24) + 0.5) == 512:
            exponent += 1
        if top == 0:
            exponent = 0
        fields = [int(np.floor(c / 2.0 ** (exponent - 24) + 0.5)) for c in color]
        out[i] = fields[0] | fields[1] << 9 | fields[2] << 18 | exponent << 27
    return out


def read_groups(data: bytes, format_name: str, type_name: str) -> np.ndarray:
    """(n, 6) components, with 0 0 0 1 0 0 where the format has none."""
    f, t = FORMAT[format_name], TYPE[type_name]
    n = len(data) // group_bytes(format_name, type_name)
    out = np.zeros((n, 6))
    out[:, ALPHA] = 1
    if t.special == "D32FS8":
        words = np.frombuffer(data, "<f4").reshape(n, 2)
        out[:, DEPTH] = words[:, 0]
        out[:, STENCIL] = np.frombuffer(data, "<u4").reshape(n, 2)[:, 1] & 0xFF
    elif t.fields:
        words = np.frombuffer(data, f"<u{t.size_bytes}").astype(np.int64)
        fields = [(words >> shift) & ((1 << bits) - 1) for shift, bits in t.fields]
        if t.special == "R11G11B10F":
            values = [unsigned_float(field, bits - 5) for field, (_, bits) in zip(fields, t.fields)]
        elif t.special == "RGB9E5":
            values = [field * 2.0 ** ((words >> 27) - 24) for field in fields]
        elif t.special == "D24S8":
            values = [fields[0] / (2.0 ** 24 - 1), fields[1]]
        else:
            values = [field if f.integer else from_fixed(field, (1 << bits) - 1)
                      for field, (_, bits) in zip(fields, t.fields)]
        for component, value in zip(f.components, values):
            out[:, component] = value
    else:
        elements = np.frombuffer(data, DTYPE[type_name]).reshape(n, len(f.components))
        for i, component in enumerate(f.components):
            value = elements[:, i].astype(float)
            if t.kind is not Kind.FLOAT and not f.integer and component != STENCIL:
                value = np.maximum(from_fixed(value, np.iinfo(DTYPE[type_name]).max), -1)
            elif t.kind is Kind.FLOAT and component == STENCIL:
                value = np.trunc(value)
            out[:, component] = value
    return out


def write_groups(groups: np.ndarray, format_name: str, type_name: str) -> bytes:
    f, t = FORMAT[format_name], TYPE[type_name]
    n = len(groups)
    if t.special == "D32FS8":
        words = np.zeros((n, 2), "<u4")
        words[:, 0] = groups[:, DEPTH].astype("<f4").view("<u4")
        words[:, 1] = np.clip(groups[:, STENCIL], 0, 255)
        return words.tobytes()
    if t.fields:
        words = np.zeros(n, np.int64)
        if t.special == "R11G11B10F":
            for i, (shift, bits) in enumerate(t.fields):
                words |= to_unsigned_float(groups[:, i].astype(np.float32), bits - 5) << shift
        elif t.special == "RGB9E5":
            words = to_shared_exponent(groups[:, :3])
        else:
            for component, (shift, bits) in zip(f.components, t.fields):
                top = (1 << bits) - 1
                value = groups[:, component]
                whole = f.integer or component == STENCIL
                if t.special == "D24S8" and not whole:
                    value = np.floor(np.clip(value, 0, 1) * top + 3.7e-9)
                else:
                    value = np.clip(value, 0, top) if whole else to_fixed(np.clip(value, 0, 1), top)
                words |= value.astype(np.int64) << shift
        return words.astype(f"<u{t.size_bytes}").tobytes()
    out = np.zeros((n, len(f.components)), DTYPE[type_name])
    for i, component in enumerate(f.components):
        value = groups[:, component]
        if t.kind is Kind.FLOAT:
            with np.errstate(over="ignore"):
                out[:, i] = value.astype(np.float32)
            continue
        limits = np.iinfo(DTYPE[type_name])
        if f.integer or component == STENCIL:
            value = np.clip(value, limits.min, limits.max)
        else:
            value = to_fixed(np.clip(value, -1 if t.kind is Kind.SNORM else 0, 1), limits.max)
        out[:, i] = value.astype(np.int64)
    return out.tobytes()


def convert(data: bytes, source: tuple[str, str], target: tuple[str, str], clamp: bool = False,
            depth_bits: int = 0) -> bytes:
    groups = read_groups(data, *source)
    if depth_bits == 24 and source != target:
        cut = np.floor(np.clip(groups[:, DEPTH], 0, 1) * (2**24 - 1) + 3.7e-9).astype(np.int64)
        groups[:, DEPTH] = (cut << 8 | cut >> 16) / (2**32 - 1)
    if clamp and not FORMAT[source[0]].integer:
        groups[:, :4] = np.clip(np.nan_to_num(groups[:, :4], nan=0.0, posinf=1, neginf=0), 0, 1)
    return write_groups(groups, *target)
