package classify

import (
	"strconv"
	"strings"
	"testing"

	"hansei/ingest"
)

// TestMemo wants the answer that is remembered to be the one that is found
// anew, for events that differ in one field only.
func TestMemo(t *testing.T) {
	c := builtinClassifier(t)
	for _, line := range readCorpus(t) {
		for _, e := range []ingest.Event{
			{Code: line.Code, Message: line.Message},
			{Code: line.Code, Message: line.Message, Kind: ingest.Success},
			{Code: line.Code, Message: line.Message, Operation: "search"},
			{Code: line.Code, Message: line.Message, Resolution: "retried"},
			{Message: line.Message},
			{Status: "429", Message: line.Message},
			{Message: line.Message, Attrs: map[string]string{"exit_code": "137"}},
			{Message: line.Message, Detail: "connection refused"},
		} {
			want := tagAnew(c, &e)
			for range 3 {
				if got := c.Tag(&e); got != want {
					t.Fatalf("%+v:\ngot  %+v\nwant %+v", e, got, want)
				}
			}
		}
	}
}

// tagAnew returns the tag of e without the help of what is remembered.
func tagAnew(c *Classifier, e *ingest.Event) Tag {
	s := newScratch(len(c.rules))
	s.reset(e.Message)
	tag := c.tag(e, s)
	tag.Resolution = outcome(e)
	return tag
}

// TestMemoIsBounded wants messages that come once to leave nothing behind.
func TestMemoIsBounded(t *testing.T) {
	c := builtinClassifier(t)
	letters := strings.NewReplacer("0", "a", "1", "b", "2", "c", "3", "d", "4", "e", "5", "f", "6", "g", "7", "h", "8", "i", "9", "j")
	for i := range 10 * memoSlots {
		c.Tag(&ingest.Event{Message: "no route to " + letters.Replace(strconv.Itoa(i))})
	}
	for i := range c.memo.slots {
		if kept := c.memo.slots[i].kept.Load(); kept != nil {
			t.Fatalf("%q came once and is kept", kept.text)
		}
	}
}
