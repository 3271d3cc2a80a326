"""Viewport arrays, clip control and framebuffers without attachments are the direct driver's."""


def test_viewports(compare):
    compare("viewports")


def test_the_comparison_sees_what_a_viewport_changes(answers_of):
    said = answers_of("direct", "")["viewports"]
    assert said["all alike"] != said["drawn apart"] != said["drawn scissored"]
    assert len({said[q][0] for q in said if q.startswith("clip ")}) == 4
