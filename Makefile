# The usual tasks, which take from 30 seconds to 25 minutes. .ci/run runs all of them.
# lint, e2e and fuzz install nothing; "make tools" installs what they need.

export SITEWALK_TOOLS ?= $(HOME)/.cache/sitewalk-tools
export SITEWALK_XSD ?=
FUZZTIME ?= 2s

.PHONY: test lint fuzz bench e2e tools count

# test runs all tests that need only Go and git.
test:
	go test ./...
	cd tools && go test ./...

# lint checks the format, vets the code for each system, and finds unreachable code.
lint:
	.ci/lint

# fuzz runs every fuzz target for FUZZTIME.
fuzz:
	.ci/fuzz $(FUZZTIME)

# bench runs every benchmark once.
bench:
	go test -run '^$$' -bench . -benchtime 1x ./...

# tools installs generators, browsers and package managers for the end-to-end suite.
tools:
	.ci/install

# e2e runs the end-to-end suite. It needs the tools.
e2e:
	.ci/e2e

# count prints the amount of code, and how much of it a usual build runs.
count:
	.ci/count
