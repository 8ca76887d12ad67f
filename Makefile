# make build   the program, at bin/hansei
# make demo    three months of a made-up fleet through the pipeline, and its report
# make test    everything: formatting, vet, staticcheck, unit, golden, script and fuzz-seed tests;
#              with Chromium, the pages in a browser too
# make bench   the benchmarks
# make chaos   the crash tests in their long form: a hundred kills, damaged files, a server that goes away
# make fuzz    every fuzz target for a while (FUZZTIME=30s)

VERSION   := $(shell git describe --tags --always --dirty 2>/dev/null || echo devel)
GOFLAGS   += -trimpath
FUZZTIME  ?= 30s

# How long the tests of one package may take: cmd/hansei starts the program
# hundreds of times, which on a busy machine takes longer than go test's own 10m.
PATIENCE  ?= 40m

# With this tag rows reach DuckDB as columns; without it the program works, but
# stores at half the speed. The tests run both ways.
TAGS      := duckdb_arrow

# The charts' library, fetched once and put into the program, so that a report
# opens without a network: its build with bars, lines and points, which is two
# thirds of the whole. The hash is the registry's own for this version.
ECHARTS        := 6.1.0
ECHARTS_SHA512 := ab4c9a14f8200bd15476c587e1b95abd15859b176b22875b92828d02326e74023a080f6034fc47b55d917193447a9655964e32bc16243a46e4e87215a48c8764
ASSET          := reports/assets/echarts.common.min.js

# staticcheck is run, not depended on.
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2

.PHONY: build demo test lint bench chaos fuzz clean

build: $(ASSET)
	go build $(GOFLAGS) -tags $(TAGS) -ldflags "-X main.version=$(VERSION)" -o bin/hansei ./cmd/hansei

demo: build
	bin/hansei demo

test: $(ASSET) lint
	go test -timeout $(PATIENCE) $(TESTFLAGS) ./analyze
	go test -timeout $(PATIENCE) $(TESTFLAGS) -tags $(TAGS) ./...
	cd browser && go test -timeout $(PATIENCE) $(TESTFLAGS) ./...

lint:
	@unformatted=$$(gofmt -l .); test -z "$$unformatted" || { echo "not formatted, run gofmt -w:"; echo "$$unformatted"; exit 1; }
	go vet -tags $(TAGS) ./...
	go run $(STATICCHECK) -tags $(TAGS) ./...
	cd browser && go vet ./... && go run $(STATICCHECK) ./...

bench: $(ASSET)
	go test -tags $(TAGS) -run '^$$' -bench . -benchmem ./...

chaos: $(ASSET)
	HANSEI_CHAOS=1 go test -tags $(TAGS) -count 1 -timeout 30m -v -run 'Killed|FullDisk|LostItsEnd|Damaged|ReadOnly|Malformed' ./analyze ./cmd/hansei

fuzz:
	@for package in $$(go list ./...); do \
		for target in $$(go test -list '^Fuzz' $$package | grep '^Fuzz'); do \
			go test -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 1s $$package || exit 1; \
		done; \
	done

$(ASSET):
	@command -v npm >/dev/null || { echo "note: no npm here, so reports will load the charts' library from its public address"; exit 0; }; \
	folder=$$(mktemp -d) && trap 'rm -rf "$$folder"' EXIT && cd "$$folder" && \
	npm pack --silent echarts@$(ECHARTS) >/dev/null && \
	echo "$(ECHARTS_SHA512)  echarts-$(ECHARTS).tgz" | sha512sum --check --quiet && \
	tar xzf echarts-$(ECHARTS).tgz package/dist/echarts.common.min.js && \
	cp package/dist/echarts.common.min.js "$(CURDIR)/$(ASSET)"

clean:
	rm -rf bin reports/assets/echarts*.js hansei-demo
