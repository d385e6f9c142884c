# Everything that a developer types. CI runs `make test` and `make check`.
.DEFAULT_GOAL := help
.PHONY: help setup setup-tests setup-attack desk run package image test test-desk walk upgrade migration failover kafka ldap attack check check-format check-lints check-desk check-dependencies check-tidy check-generated bench lab generated clean

# Where a Rust and a Node.js that scripts/setup.sh has just installed are found.
export PATH := $(HOME)/.cargo/bin:$(CURDIR)/ui/.node/node_modules/.bin:$(PATH)
target := $(or $(CARGO_TARGET_DIR),target)

help: ## list these targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' $(firstword $(MAKEFILE_LIST)) | expand -t 20

setup: ## install what is missing: Rust, a C compiler, PostgreSQL, Node.js
	@scripts/setup.sh

setup-tests:
	@scripts/setup.sh tests

# Built anew when one of its files is newer; the program takes it in.
desk := ui/dist/index.html
$(desk): ui/index.html ui/package-lock.json ui/vite.config.ts ui/tsconfig.json $(shell find ui/src ui/public ui/build -type f 2>/dev/null)
	@echo "building the desk"
	@npm run --prefix ui --silent build -- --logLevel warn

desk: setup ## build the desk, the staff interface
	@$(MAKE) --no-print-directory $(desk)

run: desk ## build Octavo and serve the demo library; Ctrl-C stops it
	@echo "building Octavo"
	@cargo build --release --package octavo
	@echo "starting the demo library; its data is in .octavo/demo, Ctrl-C stops it"
	@exec $(target)/release/octavo serve --demo --data-dir .octavo/demo

# VERSION=0.2.0~rc1 gives the packages another version than the workspace's; PACKAGES names another folder, PROGRAM a program that is built.
PACKAGES := $(target)/packages
ifdef PROGRAM
package: ## make the Debian package and the tarball, in target/packages
	@scripts/package.sh $(PROGRAM) $(PACKAGES)
else
package: desk
	@echo "building Octavo"
	@cargo build --release --package octavo --locked
	@scripts/package.sh $(target)/release/octavo $(PACKAGES)
endif

image: package ## make an OCI image with PostgreSQL in it; needs mmdebstrap, no daemon
	@scripts/image.sh "$$(ls -t $(PACKAGES)/octavo_*.deb | head -n 1)" $(PACKAGES)

# Many tests wait for servers and clocks, so that each processor has time for two.
test_threads = $(shell echo $$((2 * $$(getconf _NPROCESSORS_ONLN))))

test: setup-tests desk ## run every test
	@RUST_TEST_THREADS=$(or $(RUST_TEST_THREADS),$(test_threads)) cargo test --workspace
	@$(MAKE) --no-print-directory test-desk

# In a browser, against the program that cargo's tests have just built.
test-desk:
	@OCTAVO_PROGRAM=$(abspath $(target))/debug/octavo npm run --prefix ui --silent test

walk: setup-tests desk ## 100,000 commands of eight clients at once, after each thousand of which the library must be in order
	@cargo test --profile walk --package octavo-tests --test api -- --ignored --nocapture --exact \
		circulation::walk::whatever_several_clients_do_for_long_the_library_is_in_order

failover: ## kill the primary PostgreSQL of a cluster under load and compare what was acknowledged; needs Patroni and etcd
	@cargo build --package octavo
	@scripts/failover.sh

upgrade: setup-tests desk ## the last release and this one take turns on one database while clients go on; none of their requests may fail
	@scripts/rolling-upgrade.sh

migration: setup-tests desk ## what waits while a table of ten million rows is migrated; takes 6 GB of disk
	@cargo test --package octavo --test program -- --ignored --nocapture --exact \
		large::what_waits_while_many_rows_are_migrated

kafka: setup-tests desk ## test what is published to Kafka, with a broker of Apache Kafka; needs Java and Maven
	@scripts/kafka.sh

ldap: setup-tests desk ## test log-in at an LDAP directory, with OpenLDAP's server; needs slapd
	@scripts/ldap.sh

setup-attack:
	@scripts/setup.sh attack

attack: setup-attack desk ## attack Octavo in every way that docs/security.md lists, half an hour, one table
	@scripts/attack.sh

check: setup check-format check-lints check-desk check-dependencies check-tidy check-generated ## format, lints, dependency policy, tidiness, generated files

check-format:
	@echo "check: format"
	@cargo fmt --all --check

check-lints:
	@echo "check: lints"
	@cargo clippy --workspace --all-targets --locked -- -D warnings

check-desk:
	@echo "check: the desk's types, lints and format"
	@npm run --prefix ui --silent check

check-dependencies:
	@echo "check: dependencies"
	@cargo xtask deny
	@cargo xtask advisories

check-tidy:
	@echo "check: tidiness"
	@cargo xtask tidy

# Tests that compare what is generated with what is written are named so.
check-generated:
	@echo "check: generated files"
	@cargo test --quiet --workspace -- in_step

bench: desk ## measure this machine's Octavo against pgbench
	@cargo run --release --package octavo -- bench

lab: desk ## rerun FOLIO's performance reports, as far as a synthetic library allows
	@cargo build --release --package octavo
	@scripts/lab.sh $(target)/release/octavo

generated: setup ## write the generated pages anew
	@mkdir -p $(target)
	@cargo run --quiet --package octavo -- config --markdown > $(target)/configuration.md
	@mv $(target)/configuration.md docs/configuration.md
	@OCTAVO_WRITE_GENERATED=1 cargo test --quiet --package octavo-tests --test generated

clean: ## remove what was built, and the demo library
	@cargo clean
	@rm -rf .octavo ui/dist
