"""Write everything that follows from the catalogue.

usage: catalogue.py OUTPUT_FOLDER      pipe.h, pipe.pxd, encode.pxi, direct.pxi, decode.pxi, record.pxi, by_name.pxi,
                                       interpose.pxi, watch.pxi, pipe_snapshot.h, pipe_snapshot.pxd
       catalogue.py --page FILE        docs/catalogue.md
"""

import sys
from pathlib import Path

if __name__ == "__main__":  # the declarations of this tree, never those of an installed mgpipe
    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))

from c_header import header, pxd  # noqa: E402
from decoders import decode_pxi  # noqa: E402
from encoders import direct_pxi, encode_pxi  # noqa: E402
from interpose import interpose_pxi, watch_pxi  # noqa: E402
from mgpipe.catalogue.layout import Boundary, CatalogueError, boundary  # noqa: E402
from recorder import by_name_pxi, record_pxi  # noqa: E402
from reference_page import page  # noqa: E402
from snapshot import snapshot_header, snapshot_pxd  # noqa: E402


def sources(catalogue: Boundary) -> dict[str, str]:
    return {
        "pipe.h": header(catalogue), "pipe.pxd": pxd(catalogue), "encode.pxi": encode_pxi(catalogue),
        "direct.pxi": direct_pxi(catalogue), "decode.pxi": decode_pxi(catalogue), "record.pxi": record_pxi(catalogue),
        "by_name.pxi": by_name_pxi(catalogue), "interpose.pxi": interpose_pxi(catalogue), "watch.pxi": watch_pxi(catalogue),
        "pipe_snapshot.h": snapshot_header(catalogue), "pipe_snapshot.pxd": snapshot_pxd(catalogue),
    }


def write(path: Path, text: str) -> None:
    """Leave an equal file untouched: what depends on it is then not built again."""
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def main(arguments: list[str]) -> None:
    try:
        catalogue = boundary()
    except CatalogueError as error:
        sys.exit(f"catalogue: {error}")
    match arguments:
        case ["--page", target]:
            write(Path(target), page(catalogue))
        case [folder]:
            for name, text in sources(catalogue).items():
                write(Path(folder) / name, text)
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
