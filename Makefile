# Everything that a developer types. CI runs `make test` and `make check`.
.DEFAULT_GOAL := help
.PHONY: help setup run test check check-format check-lints check-dependencies check-tidy check-generated bench generated clean

# Where a Rust that scripts/setup.sh has just installed is found.
export PATH := $(HOME)/.cargo/bin:$(PATH)
target := $(or $(CARGO_TARGET_DIR),target)

help: ## list these targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' $(firstword $(MAKEFILE_LIST)) | expand -t 20

setup: ## install what is missing: Rust, a C compiler, PostgreSQL
	@scripts/setup.sh

run: setup ## build Octavo and serve the demo library; Ctrl-C stops it
	@echo "building Octavo"
	@cargo build --release --package octavo
	@echo "starting the demo library; its data is in .octavo/demo, Ctrl-C stops it"
	@exec $(target)/release/octavo serve --demo --data-dir .octavo/demo

test: setup ## run every test
	@cargo test --workspace

check: setup check-format check-lints check-dependencies check-tidy check-generated ## format, lints, dependency policy, tidiness, generated files

check-format:
	@echo "check: format"
	@cargo fmt --all --check

check-lints:
	@echo "check: lints"
	@cargo clippy --workspace --all-targets --locked -- -D warnings

check-dependencies:
	@echo "check: dependencies"
	@cargo xtask deny

check-tidy:
	@echo "check: tidiness"
	@cargo xtask tidy

# Tests that compare what is generated with what is written are named so.
check-generated:
	@echo "check: generated files"
	@cargo test --quiet --workspace -- in_step

bench: setup ## measure this machine's Octavo against pgbench
	@cargo run --release --package octavo -- bench

generated: setup ## write the generated pages anew
	@cargo run --quiet --package octavo -- config --markdown > $(target)/configuration.md
	@mv $(target)/configuration.md docs/configuration.md
	@OCTAVO_WRITE_GENERATED=1 cargo test --quiet --package octavo-tests --test generated

clean: ## remove what was built, and the demo library
	@cargo clean
	@rm -rf .octavo
