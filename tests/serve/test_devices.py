"""Sessions are spread over EGL devices."""

import json
import subprocess
import sys

import pytest

from mgpipe.client import connect
from mgpipe.server.devices import Device, NoSuchDevice, least_loaded, list_devices, select_devices

from test_limits import nasty  # noqa: F401

FOUND = [Device(0, False, "GPU one"), Device(1, False, "GPU two"), Device(2, True, "software")]


def test_auto_is_every_real_gpu_or_else_software():
    assert select_devices("auto", FOUND) == FOUND[:2]
    assert select_devices("auto", FOUND[2:]) == FOUND[2:]
    assert select_devices("auto", []) == []


def test_devices_are_named_by_number_in_the_order_given():
    assert select_devices("2,0,2", FOUND) == [FOUND[2], FOUND[0]]


@pytest.mark.parametrize("asked", ["3", "0,7", "x", "", "0,,1", "-1"])
def test_a_device_that_is_not_there_is_refused_with_those_that_are(asked):
    with pytest.raises(NoSuchDevice, match="0: GPU one; 1: GPU two; 2: software"):
        select_devices(asked, FOUND)


def test_the_one_with_the_fewest_sessions_is_taken():
    assert least_loaded(FOUND, []).number == 0
    assert least_loaded(FOUND, [0]).number == 1
    assert least_loaded(FOUND, [0, 1, 2, 2, 0]).number == 1
    assert least_loaded([], [0]) is None


def test_a_server_lists_what_this_machine_has():
    assert [device.number for device in list_devices()] == list(range(len(list_devices()))) != []


def test_sessions_are_spread_and_each_is_told_its_device(serve, nasty, caplog):     # noqa: F811
    server = serve("tcp", "--gpu", "0,2", "--log", "json", "--metrics", "0", MGPIPE_LIBEGL=nasty, NASTY_DEVICES="3")
    for n in range(2, 6):
        assert connect.connect(server=server.address, frames_in_flight=n, log="info").ping()
    told = [json.loads(line)["fields"]["device"] for line in server.lines if "session_started" in line]
    assert [device.partition(":")[0] for device in told] == ["0", "2", "0", "2"]
    assert [line.partition("device ")[2][0] for line in caplog.messages if "draws on device" in line] == list("0202")


def test_a_wrong_number_keeps_a_server_from_starting():
    ran = subprocess.run([sys.executable, "-m", "mgpipe", "serve", "--gpu", "99"], capture_output=True, text=True, timeout=30)
    assert ran.returncode == 2
    assert "there is no device 99. This machine has 0: " in ran.stderr
