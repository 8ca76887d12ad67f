package ingest

import "testing"

// A failed call is one failure, in whatever order the parts of the kernel that
// tell of it write to the bus.
func TestStarryCallIsJudgedOnce(t *testing.T) {
	const (
		begun     = `{"type":"loop:started","timestamp":1768440600100,"payload":{"sessionId":"s"}}` + "\n"
		executing = `{"type":"tool:executing","timestamp":1768440600310,"payload":{"toolCallId":"c1","name":"fs.read","sessionId":"s"}}` + "\n"
		failed    = `{"type":"tool:error","timestamp":1768440600320,"payload":{"toolCallId":"c1","name":"fs.read","error":"ENOENT","sessionId":"s"}}` + "\n"
		executed  = `{"type":"action:executed","timestamp":1768440600340,"payload":{"toolCallId":"c1","toolName":"fs.read","success":false,"error":"ENOENT","sessionId":"s"}}` + "\n"
		finished  = `{"type":"loop:finished","timestamp":1768440600400,"payload":{"sessionId":"s"}}` + "\n"
	)
	for name, in := range map[string]string{
		"the error first":     begun + executing + failed + executed + finished,
		"the judgement first": begun + executing + executed + failed + finished,
		"the turn goes on":    begun + executing + executed + failed,
	} {
		if got := outline(t, &openStarry, in); got != "A failure 1\n" {
			t.Errorf("%s:\n%s", name, got)
		}
	}
}
