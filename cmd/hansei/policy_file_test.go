package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	natsserver "github.com/nats-io/nats-server/v2/server"

	"hansei/analyze"
	"hansei/ingest/stream"
)

func policyText(n int) string {
	return fmt.Sprintf("version: 1\npolicies:\n  # of bot\n  - agent: bot\n    max_retries: %d\n", n)
}

// Two serves on one NATS server have policy files of their own: the newer
// decision stays in force, whoever starts last, and the other is told.
func TestPoliciesOfTwoServes(t *testing.T) {
	dir := t.TempDir()
	server, err := natsserver.NewServer(&natsserver.Options{Host: "127.0.0.1", Port: -1, JetStream: true, StoreDir: filepath.Join(dir, "nats"), NoSigs: true})
	if err != nil {
		t.Fatal(err)
	}
	server.Start()
	defer server.Shutdown()
	if !server.ReadyForConnections(time.Minute) {
		t.Fatal("server does not start")
	}
	client, err := stream.Open(t.Context(), stream.Options{URL: server.ClientURL()})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	inForce := func(n int) {
		t.Helper()
		values, err := client.PolicyValues(t.Context())
		if want := fmt.Sprintf(`"max_retries":%d}`, n); err != nil || !strings.HasSuffix(string(values["bot._._"]), want) {
			t.Errorf("in force is %s, want %s (%v)", values["bot._._"], want, err)
		}
	}
	file := func(name string, n int, age time.Duration) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(policyText(n)), 0o644); err != nil {
			t.Fatal(err)
		}
		if at := time.Now().Add(-age); os.Chtimes(path, at, at) != nil {
			t.Fatal("no times")
		}
		return path
	}
	// start runs a serve until it has offered its policies, and returns what it said.
	start := func(data, policy string) (stop func() string) {
		t.Helper()
		serve := exec.Command("hansei", "serve", "--data", filepath.Join(dir, data), "--listen", "127.0.0.1:0", "--nats-listen", "127.0.0.1:0", "--nats-url", server.ClientURL(), "--policy", policy)
		var said bytes.Buffer
		serve.Stderr = &said
		if err := serve.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { serve.Process.Kill() }) // an error says that it has ended
		wait(t, func() bool { s, ok := readServer(filepath.Join(dir, data)); return ok && s.NATS != "" })
		return func() string {
			t.Helper()
			if err := serve.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			if err := serve.Wait(); err != nil {
				t.Errorf("serve ended with %v: %s", err, said.String())
			}
			return said.String()
		}
	}
	stopA := start("a", file("a.yaml", 2, time.Minute))
	inForce(2)
	stopB := start("b", file("b.yaml", 9, time.Hour)) // written before
	inForce(2)
	if got := hansei(t, "tune", "policies", "--data", filepath.Join(dir, "b"), "--nats-url", server.ClientURL()); string(got) != policyText(2) {
		t.Errorf("told to be in force: %s", got)
	}
	if said := stopB(); !strings.Contains(said, "b.yaml is not the file in force, which serve put there from") || !strings.Contains(said, "hansei tune policies --put FILE") {
		t.Errorf("the later serve says %s", said)
	}
	stopA()
	stopA = start("a", file("a.yaml", 3, -time.Second)) // edited
	inForce(3)
	stopB = start("b", file("b.yaml", 2, -time.Minute)) // a copy of what was before, however new
	inForce(3)
	if said := stopB(); !strings.Contains(said, "b.yaml is an earlier version of the file in force") {
		t.Errorf("the later serve says %s", said)
	}
	stopB = start("b", filepath.Join(dir, "none.yaml"))
	inForce(3)
	hansei(t, "tune", "policies", "--data", filepath.Join(dir, "b"), "--nats-url", server.ClientURL(), "--put", file("b.yaml", 9, time.Hour), "--reason", "the vendor asks for it")
	inForce(9)
	if said := stopA(); strings.Contains(said, "in force, which") {
		t.Errorf("the first serve says %s", said)
	}
	stopB()
}

// What may take the place of the policy file in force.
func TestPolicyConflict(t *testing.T) {
	at := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	now := policyFile{Text: "now", Changed: at, Who: "ann", Before: []string{hashOf("old")}}
	for _, test := range []struct {
		name string
		put  policyPut
		now  policyFile
		want string // of the error
	}{
		{"the first file", policyPut{base: "any"}, policyFile{}, ""},
		{"the same", policyPut{base: "now", modified: at.AddDate(-1, 0, 0)}, now, ""},
		{"made from what is in force", policyPut{text: "next", base: "now"}, now, ""},
		{"edited since", policyPut{base: "mine", modified: at.Add(time.Second)}, now, ""},
		{"another one from before", policyPut{base: "mine", modified: at.Add(-time.Second)}, now, "is not the file in force"},
		{"no file here", policyPut{base: "default"}, now, "is not the file in force"},
		{"an earlier version, copied just now", policyPut{base: "old", modified: at.AddDate(1, 0, 0)}, now, "is an earlier version"},
		{"by force", policyPut{base: "old", force: true}, now, ""},
	} {
		err := test.put.conflict(test.now)
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.name, err, test.want)
		}
	}
}

// Of many at once the bucket ends with the file that is in force.
func TestPoliciesPutAtOnce(t *testing.T) {
	s := openSite(t, "")
	p := s.local.p
	var wait sync.WaitGroup
	for i := range 8 {
		wait.Go(func() {
			if _, err := p.putPolicyFile(t.Context(), policyPut{text: policyText(i), base: policyText(i), who: "ann", path: "x", force: true}); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	now, _, err := p.policyFile(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	file, err := analyze.ParsePolicies([]byte(now.Text))
	if err != nil {
		t.Fatal(err)
	}
	want, err := policyValues(file)
	if err != nil {
		t.Fatal(err)
	}
	got, err := p.client.PolicyValues(t.Context())
	if err != nil || !bytes.Equal(got["bot._._"], want["bot._._"]) {
		t.Errorf("the bucket holds %s, in force is %s, %v", got["bot._._"], want["bot._._"], err)
	}
	if len(now.Before) == 0 {
		t.Error("no file before is known")
	}
}

// Who decided is the name given, that of the environment, or that of the account.
func TestWhoDecided(t *testing.T) {
	account, err := user.Current()
	if err != nil {
		t.Skip(err)
	}
	t.Setenv("USERNAME", "")
	for _, test := range []struct{ given, user, want string }{{"taro", "root", "taro"}, {"", "hanako", "hanako"}, {"", "", account.Username}} {
		t.Setenv("USER", test.user)
		if got := whoOr(test.given); got != test.want {
			t.Errorf("whoOr(%q) with USER=%q is %q, want %q", test.given, test.user, got, test.want)
		}
	}
}
