package stream

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/nats-io/nats.go"
)

// contextOptions reads a context of the nats command line: the JSON file that
// `nats context save` writes.
func contextOptions(name string) (url string, options []nats.Option, err error) {
	folder := os.Getenv("XDG_CONFIG_HOME")
	if folder == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", nil, fmt.Errorf("--context %s: %w", name, err)
		}
		folder = filepath.Join(home, ".config")
	}
	path := filepath.Join(folder, "nats", "context", filepath.Base(name)+".json")
	text, err := os.ReadFile(path)
	if err != nil {
		return "", nil, fmt.Errorf("--context %s: %w\n`nats context ls` shows the contexts there are", name, err)
	}
	var c struct {
		URL, Token, User, Password, Creds, NKey, Cert, Key, CA string
		InboxPrefix                                            string `json:"inbox_prefix"`
	}
	if err := json.Unmarshal(text, &c); err != nil {
		return "", nil, fmt.Errorf("--context %s: %s: %w", name, path, err)
	}
	add := func(wanted string, option func() nats.Option) {
		if wanted != "" {
			options = append(options, option())
		}
	}
	add(c.Token, func() nats.Option { return nats.Token(c.Token) })
	add(c.User, func() nats.Option { return nats.UserInfo(c.User, c.Password) })
	add(c.Creds, func() nats.Option { return nats.UserCredentials(c.Creds) })
	add(c.Cert, func() nats.Option { return nats.ClientCert(c.Cert, c.Key) })
	add(c.CA, func() nats.Option { return nats.RootCAs(c.CA) })
	add(c.InboxPrefix, func() nats.Option { return nats.CustomInboxPrefix(c.InboxPrefix) })
	if c.NKey != "" {
		option, err := nats.NkeyOptionFromSeed(c.NKey)
		if err != nil {
			return "", nil, fmt.Errorf("--context %s: nkey %s: %w", name, c.NKey, err)
		}
		options = append(options, option)
	}
	if c.URL == "" {
		c.URL = nats.DefaultURL
	}
	return c.URL, options, nil
}
