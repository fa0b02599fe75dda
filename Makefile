# make help lists what there is.

STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2
CONCURRENT  = ./agent/cache ./agent/classifier ./agent/clock ./agent/command ./agent/companion ./agent/database ./agent/fulltext ./agent/foreign ./agent/knowledge ./agent/limit ./agent/llm ./agent/mcp ./agent/newsroom ./agent/outbound ./agent/recall/... ./agent/remote \
              ./agent/scholar/... ./agent/search/... ./agent/secret ./agent/service ./agent/session ./agent/studio ./agent/tokens ./agent/toolrouter \
              ./agent/trace ./mocks ./mocks/cassette ./mocks/responses ./mocks/proxy ./mocks/model ./mocks/transport ./eval ./eval/fleet ./eval/floor ./eval/journal ./eval/runs ./eval/target \
              ./reports/export ./cmd/evalctl/terminal ./cmd/evalctl/view
FUZZTIME    = 30s

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{ printf "%-11s %s\n", $$1, $$2 }'

.PHONY: build
build: ## build ./evalctl, without symbols for debuggers
	go build -trimpath -ldflags '-s -w' ./cmd/evalctl

.PHONY: cross
cross: ## build for Linux, macOS and Windows on amd64 and arm64, and keep nothing
	bash .ci/dist --cross

.PHONY: dist
dist: ## build release archives, checksums and module lists (SBOM) for six platforms into dist/
	bash .ci/dist

.PHONY: dockerfile
dockerfile: ## execute the steps of the Dockerfile in empty folders, without a container
	bash .ci/dockerfile

.PHONY: module
module: ## rename the Go module: make module MODULE=github.com/you/evalctl
	@bash .ci/module '$(MODULE)'

.PHONY: test
test: ## run all tests
	go test ./...

.PHONY: lint
lint: ## run the pinned linter
	go run $(STATICCHECK) ./...

.PHONY: layers
layers: ## count the dependencies between files of reports that point up
	@go run ./.ci/layers -v reports

.PHONY: numbers
numbers: ## compare the numbers of two programs in all formats: make numbers OLD=… NEW=… DIR=…
	@go run ./.ci/samenumbers '$(OLD)' '$(NEW)' $(DIR)

.PHONY: pagenumbers
pagenumbers: ## check that the HTML page of a run shows the numbers of its text reports: make pagenumbers EVALCTL=… DIR=…
	@go run ./.ci/pagenumbers '$(EVALCTL)' $(DIR)

.PHONY: check
check: ## all that CI runs
	bash .ci/run

.PHONY: race
race: ## test what is concurrent under the race detector, and what only compares figures or reads its command line without it
	go test -race -timeout 30m $(CONCURRENT)
	go test -race -timeout 30m ./agent/companion/diary ./cmd/evalctl/play ./eval/history ./mocks/backend -ginkgo.label-filter '!figures'
	go test -race -timeout 30m ./cmd/evalctl -ginkgo.timeout 30m -ginkgo.label-filter concurrent

.PHONY: bench
bench: ## throughput against a bare client, all shipped suites and their report, and the hot paths
	go test -run '^$$' -bench 'Loopback|OwnLabels|Simulated|Rules|Shipped|Fleet' -benchtime 1x ./cmd/evalctl
	go test -run '^$$' -bench . -benchmem ./agent/... ./mocks/... ./eval/... ./datasets/... ./reports/...

.PHONY: limits
limits: ## find the limit of a provider over loopback that permits 10 requests a second, in a minute
	go test -count=1 -v -run '^TestRealTime$$' ./agent/limit -args -real-time

.PHONY: memory
memory: ## resident memory of 20,000 and of 200,000 trials
	go test -count=1 -v -run '^TestMemory$$' -timeout 30m ./cmd/evalctl -args -memory

.PHONY: kill
kill: ## SIGKILL a run of 20,000 trials 50 times, one with all traces 15 times, and a merge 10 times: nothing is lost or twice
	go test -count=1 -v -run '^TestKill$$' -timeout 10m ./cmd/evalctl -args -kill

.PHONY: million
million: ## trials a second, resident memory and files of 1,000,000 decisions by the rules
	go test -count=1 -v -run '^TestMillion$$' -timeout 60m ./cmd/evalctl -args -million 1000000

.PHONY: fleet
fleet: ## 20,000 trials on 4 workers, with 50 kills among them, the broker and the coordinator
	go test -count=1 -v -run '^TestFleet$$' -timeout 10m ./cmd/evalctl -args -fleet

.PHONY: html-scale
html-scale: ## time as a ratio, resident memory and size of the HTML file of 100,000 trials
	go test ./reports/page -run '^TestHTMLScale$$' -v -count=1 -args -html-scale

.PHONY: long
long: ## what takes too long for go test: simulated intervals and tests, all faults, waits of a fleet, an added system, the example as a module of its own
	EVALCTL_LONG=1 go test -count=1 ./eval/stats ./eval/tune ./eval/compare ./evaltest ./eval/fleet ./eval/gate ./mocks/model ./mocks/backend ./agent/service ./cmd/evalctl -ginkgo.label-filter long

.PHONY: browser
browser: ## use the report page as its readers do, in a real Chromium
	EVALCTL_NEED_BROWSER=1 go test -count=1 ./reports/page/browser

.PHONY: coverage
coverage: ## coverage of every interval, size and power of every test, simulated in full
	go test -count=1 -v -run '^TestCoverage$$' -timeout 60m ./eval/stats ./eval/tune -args -coverage 100

.PHONY: false-pass
false-pass: ## how often a drop gate passes and fails wrongly: exact for one epoch, simulated for five
	go test -count=1 -v -run '^TestFalsePass$$' -timeout 60m ./eval/stats -args -false-pass

.PHONY: public-data
public-data: ## accuracy of the rules and of the baseline models on public texts in DATA, one folder a set: train.jsonl, test.jsonl
	EVALCTL_PUBLIC_DATA=$(abspath $(DATA)) go test -count=1 -v ./agent/toolrouter/intent -ginkgo.focus 'public texts'
	EVALCTL_PUBLIC_DATA=$(abspath $(DATA)) go test -count=1 -v ./eval/floor -ginkgo.focus 'public training sets'

.PHONY: hostile
hostile: ## resident memory of a run under each hostile provider
	go test -count=1 -v -run '^TestHostile$$' -timeout 30m ./cmd/evalctl -args -hostile

.PHONY: nlpjs
nlpjs: ## the commands of docs/classifier.md: train NLP.js (npm) on CLINC150 in DATA, evaluate and tune it over HTTP
	bash examples/nlpjs/run '$(DATA)'

.PHONY: serve-load
serve-load: ## 200 clients at once on the served studio, and on an agent that only talks, for 30 s each
	EVALCTL_SERVE_LOAD=30s go test -count=1 -v -run '^TestServeLoad$$' ./agent/service
	go test -count=1 -v -run '^TestServeLoad$$' ./cmd/evalctl -args -serve-load 30s

.PHONY: serve-masks
serve-masks: ## resident memory of a server that gets 100 huge masks, and 100 large bodies, at once
	go test -count=1 -v -run '^TestServeMasks$$' ./cmd/evalctl -args -serve-masks

.PHONY: redis
redis: ## kill a real redis-server while many read, and bring it back
	EVALCTL_NEED_REDIS=1 go test -count=1 -v ./agent/cache -ginkgo.focus 'real redis-server'

.PHONY: clients
clients: ## play npm's openai, ai and promptfoo against the mocks, where npm is
	bash mocks/clients/run promptfoo

.PHONY: fuzz
fuzz: ## fuzz every parser for FUZZTIME each
	@set -e; for f in $$(git ls-files '*_test.go' | xargs grep -l '^func Fuzz'); do \
		for t in $$(sed -n 's/^func \(Fuzz[A-Za-z]*\)(.*/\1/p' $$f); do \
			echo "== $$t in $$(dirname $$f)"; \
			if out=$$(go test -run '^$$' -fuzz "^$$t\$$" -fuzztime $(FUZZTIME) ./$$(dirname $$f) 2>&1); then echo "$$out" | tail -1; else case $$out in \
				*'Failing input'*) echo "$$out"; exit 1;; \
				*'context deadline exceeded'*) echo "no finding: the engine took its own deadline for one (golang/go#75804, mended in Go 1.27)";; \
				*) echo "$$out"; exit 1;; \
			esac; fi; \
		done; \
	done

.PHONY: screenshots
screenshots: ## make the images of the README from a real run, with Chromium
	go run ./cmd/screenshots docs/images

.PHONY: prose
prose: ## sentences, median and most words of README and docs
	go test -count=1 -v -run '^TestProse$$' ./docs -args -prose

.PHONY: golden
golden: ## rewrite the golden files, the figures on the datasets' cards, and the code blocks of the Chinese README
	go test ./reports ./reports/document ./datasets/... -update
	go test ./eval/metric -ginkgo.focus "docs/metrics.md" -update
	go test ./cmd/evalctl -ginkgo.focus "the Chinese README" -update
