# shellcheck shell=bash disable=SC2034
# What quickstart and test share: installing what is missing, configuring, saying what is done.
# Sourced, never run.

# Debian's names of what building needs, and of what the tests need besides.
BUILD_PACKAGES=(build-essential cmake ninja-build pkg-config zlib1g-dev libjansson-dev libicu-dev
    libedit-dev gzip)
TEST_PACKAGES=(libcmocka-dev python3 python3-gensim chromium chromium-driver python3-selenium)

say() {
    printf '%s\n' "$*" >&2
}

# Shows a command as a user would type it, then runs it.
show() {
    printf '\n$'
    printf ' %q' "$@"
    printf '\n'
    "$@"
}

missing_debian_packages() {
    local package
    for package in "$@"; do
        if [[ "$(dpkg -s "$package" 2>/dev/null)" != *'Status: install ok installed'* ]]; then
            printf '%s\n' "$package"
        fi
    done
}

install_on_debian() {
    local missing as_root=()
    mapfile -t missing < <(missing_debian_packages "$@")
    if [ "${#missing[@]}" -eq 0 ]; then
        return 0
    fi
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null; then
            say "as root, please: apt-get update && apt-get install ${missing[*]}"
            return 1
        fi
        as_root=(sudo)
        [ -t 0 ] || as_root+=(-n) # nobody is there to type a password
    fi
    say "installing: ${missing[*]}"
    ${as_root[@]+"${as_root[@]}"} apt-get -q update &&
        ${as_root[@]+"${as_root[@]}"} env DEBIAN_FRONTEND=noninteractive apt-get -q -y \
            -o DPkg::Lock::Timeout=300 install --no-install-recommends "${missing[@]}"
}

name_packages_elsewhere() {
    say "this system has no apt-get; what is needed, where it is not there already:"
    if command -v dnf >/dev/null; then
        say "  sudo dnf install gcc make cmake ninja-build pkgconf-pkg-config zlib-devel" \
            "jansson-devel libicu-devel libedit-devel gzip" \
            "libcmocka-devel python3 && pip install gensim"
    elif command -v zypper >/dev/null; then
        say "  sudo zypper install gcc make cmake ninja pkg-config zlib-devel" \
            "libjansson-devel libicu-devel libedit-devel gzip" \
            "libcmocka-devel python3 && pip install gensim"
    elif command -v pacman >/dev/null; then
        say "  sudo pacman -S --needed base-devel cmake ninja pkgconf zlib jansson icu libedit" \
            "gzip cmocka python && pip install gensim"
    elif command -v apk >/dev/null; then
        say "  apk add build-base cmake ninja pkgconf zlib-dev jansson-dev icu-dev libedit-dev" \
            "gzip cmocka-dev python3 && pip install gensim"
    elif command -v brew >/dev/null; then
        say "  brew install cmake ninja pkg-config jansson icu4c libedit libomp cmocka python" \
            "&& pip install gensim"
    else
        say "  a C11 compiler with OpenMP, CMake 3.20, Ninja or make, pkg-config, zlib, Jansson," \
            "ICU and libedit (both optional), gzip"
    fi
    say "(cmocka, Python 3 with gensim and selenium, and Chromium are for the tests)"
}

# Is all there that a build cannot do without, wherever it came from?
build_tools_are_there() {
    local tool library good=0
    for tool in cmake pkg-config "${CC:-cc}"; do
        command -v "$tool" >/dev/null || { say "missing: $tool" && good=1; }
    done
    command -v ninja >/dev/null || command -v make >/dev/null ||
        { say "missing: ninja or make" && good=1; }
    if command -v pkg-config >/dev/null; then
        for library in zlib jansson; do
            pkg-config --exists "$library" || { say "missing: the $library library" && good=1; }
        done
    fi
    return "$good"
}

# install_packages PACKAGE…: Debian's names. What could not be installed is fatal only when the
# build cannot do without it.
install_packages() {
    if command -v apt-get >/dev/null && command -v dpkg >/dev/null; then
        install_on_debian "$@" || say "could not install everything; going on with what is there"
        build_tools_are_there
    else
        build_tools_are_there || { name_packages_elsewhere && return 1; }
    fi
}

# configure SOURCE BUILD OPTION…: CMake with Ninja where it is there. A build folder that was
# configured under another path (a moved or copied checkout) is configured afresh.
configure() {
    local source=$1 build=$2 generator=()
    shift 2
    if [ -f "$build/CMakeCache.txt" ] &&
        ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$source" "$build/CMakeCache.txt"; then
        rm -rf "$build/CMakeCache.txt" "$build/CMakeFiles"
    fi
    if [ ! -f "$build/CMakeCache.txt" ] && command -v ninja >/dev/null; then
        generator=(-G Ninja)
    fi
    cmake -S "$source" -B "$build" ${generator[@]+"${generator[@]}"} "$@"
}

# build BUILD: with all processors, whatever the generator.
build() {
    cmake --build "$1" --parallel "$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)"
}
