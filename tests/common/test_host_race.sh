#!/usr/bin/env bash
# Host threads in and out of order, compiled as a student's file is in a host-code lab.
set -u
cd "$(dirname "$0")/../.." || exit 1
BUILD=${BUILD:-build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
hooks=$(sed -n 's/^HOST_HOOKS := //p' Makefile)
# shellcheck disable=SC2086 # flags
"${CXX:-g++}" -g -pthread ${hooks//,/ } -c -o "$work/host_race.o" tests/common/host_race.cpp &&
    "${CXX:-g++}" -pthread -o "$work/host_race" "$work/host_race.o" "$BUILD/lib/libharness.a" -ldl || exit 1
timeout 60 "$work/host_race"
