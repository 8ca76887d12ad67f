package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"hansei/ingest"
)

// schemaCmd prints the JSON Schema of an event.
type schemaCmd struct{}

// Run prints it.
func (schemaCmd) Run(a *app) error {
	_, err := a.out.Write(ingest.Schema())
	return err
}

// versionCmd prints the version.
type versionCmd struct{}

// version is set by the build: go build -ldflags "-X main.version=…".
var version = "devel"

// Run prints the version, and those of the engines inside.
func (versionCmd) Run(a *app) error {
	fmt.Fprintf(a.out, "hansei %s %s\n", version, runtime.Version())
	build, ok := debug.ReadBuildInfo()
	if !ok {
		return nil
	}
	for _, module := range build.Deps {
		switch module.Path {
		case "github.com/duckdb/duckdb-go/v2", "github.com/nats-io/nats-server/v2":
			fmt.Fprintf(a.out, "%s %s\n", module.Path, module.Version)
		}
	}
	return nil
}
