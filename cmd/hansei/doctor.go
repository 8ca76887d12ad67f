package main

// doctorCmd says what is set up and what is missing.
type doctorCmd struct {
	Check   doctorCheckCmd   `cmd:"" default:"withargs" help:"Check the data folder, or rebuild its store from the stream."`
	Sources doctorSourcesCmd `cmd:"" help:"Per agent: what to put into its settings, and what has arrived from it."`
}
