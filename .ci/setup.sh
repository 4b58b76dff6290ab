#!/usr/bin/env bash
# What the system must bring: `.ci/setup.sh python DIR` makes a virtual environment in DIR,
# `.ci/setup.sh libraries offscreen|window` checks the shared libraries Qt needs. As root on Debian or Ubuntu missing packages are
# installed; otherwise the one line to copy is printed.
set -euo pipefail

find_python() {
  local name
  for name in python3.13 python3.12 python3.11 python3; do
    if command -v "$name" >/dev/null && "$name" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' 2>/dev/null; then
      echo "$name"
      return
    fi
  done
  echo "Melete needs Python 3.11, 3.12 or 3.13; none was found on the PATH." >&2
  exit 1
}

install_or_say() {
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "Installing what is missing: $*"
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "$@" >/dev/null
  elif command -v apt-get >/dev/null; then
    echo "The system lacks some packages. Copy this line, then try again:" >&2
    echo "  sudo apt-get install -y $*" >&2
    exit 1
  else
    echo "The system lacks what these Debian packages bring; install their equivalents, then try again:" >&2
    echo "  $*" >&2
    exit 1
  fi
}

make_python() {
  local dir=$1 python
  python=$(find_python)
  if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
    install_or_say "$(basename "$("$python" -c 'import sys; print(f"python{sys.version_info[0]}.{sys.version_info[1]}-venv")')")"
  fi
  [ -x "$dir/bin/python" ] || "$python" -m venv "$dir"
}

# library file -> package
OFFSCREEN="libEGL.so.1=libegl1 libGL.so.1=libgl1 libdbus-1.so.3=libdbus-1-3 libfontconfig.so.1=libfontconfig1 libglib-2.0.so.0=libglib2.0-0 libxkbcommon.so.0=libxkbcommon0"
WINDOW="libxcb-cursor.so.0=libxcb-cursor0 libxcb-icccm.so.4=libxcb-icccm4 libxcb-keysyms.so.1=libxcb-keysyms1 libxcb-shape.so.0=libxcb-shape0 libxkbcommon-x11.so.0=libxkbcommon-x11-0"

check_libraries() {
  [ "$(uname)" = Linux ] || return 0
  local wanted=$OFFSCREEN known pair file missing=()
  [ "$1" = window ] && wanted="$wanted $WINDOW"
  known=$( (ldconfig -p 2>/dev/null || /sbin/ldconfig -p) || true)
  for pair in $wanted; do
    file=${pair%%=*}
    grep -q "[[:space:]]$file " <<<"$known" || missing+=("${pair#*=}")
  done
  [ ${#missing[@]} = 0 ] || install_or_say "${missing[@]}"
}

case "${1:-}" in
  python) make_python "$2" ;;
  libraries) check_libraries "$2" ;;
  *) echo "usage: .ci/setup.sh python DIR | .ci/setup.sh libraries offscreen|window" >&2; exit 2 ;;
esac
