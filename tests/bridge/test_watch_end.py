"""A watch that was stopped wakes nobody, also when the system's thread brings one more event."""

from app.bridge.watch import Watch
from app.bridge.watch_roots import Root
from app.cancel import CancelToken


def test_an_event_that_comes_after_the_end_wakes_nobody(tmp_path):
    woken = []
    watch = Watch(lambda: woken.append(True))
    root = Root(tmp_path, tmp_path)
    watch.start([root], None, CancelToken())
    watch.note(root, tmp_path / "tea" / "SKILL.md", gone_root=False)
    assert woken == [True]
    watch.stop()
    watch.note(root, tmp_path / "tea" / "SKILL.md", gone_root=False)
    assert woken == [True]
