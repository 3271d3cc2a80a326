import pytest
from shader_driver import DriverProcess


@pytest.fixture(scope="session")
def driver():
    """The machine's own driver, in a process of its own."""
    process = DriverProcess()
    yield process
    process.close()


@pytest.fixture(params=["gl", "gles"])
def dialect(request):
    return request.param
