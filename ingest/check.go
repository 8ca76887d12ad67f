package ingest

import (
	"errors"
	"fmt"
	"math/bits"
	"strings"
	"time"
)

// earliest is the first time an event may have: agents did not exist before,
// and the zero times of several languages lie there.
var earliest = time.Date(2000, time.January, 1, 0, 0, 0, 0, time.UTC)

// check holds e against the limits of the contract; its error names the field,
// the value and the limit. Nothing but the fields in given is set, so that most
// need no look.
func (e *Event) check(arrived time.Time, given fieldSet) error {
	for rest := given | wantedFields; rest != 0; rest &= rest - 1 {
		if err := fields[bits.TrailingZeros64(uint64(rest))].check(e); err != nil {
			return err
		}
	}
	if e.Time.Before(earliest) {
		return fmt.Errorf("time: %s is before %s; check the clock of %s", stamp(e.Time), stamp(earliest), e.Agent)
	}
	if !arrived.IsZero() && e.Time.After(arrived.Add(MaxAhead)) {
		return fmt.Errorf("time: %s is more than %v after its arrival; check the clock of %s", stamp(e.Time), MaxAhead, e.Agent) // no arrival in it: the same bad input again has the same reason
	}
	return nil
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

func (f *field) check(e *Event) error {
	switch p := f.at(e).(type) {
	case *string:
		if !f.want && *p == "" {
			return nil // most
		}
		if f.want && strings.TrimSpace(*p) == "" {
			return fmt.Errorf("%s: missing, every event needs it", f.name)
		}
		if f.max > 0 && len(*p) > f.max {
			return fmt.Errorf("%s: %d bytes (%s), at most %d", f.name, len(*p), clip(*p), f.max)
		}
		return noNUL(f.name, *p)
	case *Kind:
		for _, kind := range f.enum {
			if *p == kind {
				return nil
			}
		}
		return fmt.Errorf("%s: %q, want one of %q", f.name, clip(string(*p)), f.enum)
	case *time.Time:
		if p.IsZero() {
			return fmt.Errorf("%s: missing, every event needs it; write it like 2026-01-31T09:30:00Z", f.name)
		}
	case *Opt[int64]:
		if p.Known && (p.V < f.min || p.V > f.most) {
			return fmt.Errorf("%s: %d, want %d to %d", f.name, p.V, f.min, f.most)
		}
	case *Opt[float64]:
		if p.Known && !(p.V >= float64(f.min) && p.V <= float64(f.most)) { // nor NaN
			return fmt.Errorf("%s: %v, want %d to %d", f.name, p.V, f.min, f.most)
		}
	case *map[string]string:
		return checkAttrs(*p)
	}
	return nil
}

func checkAttrs(attrs map[string]string) error {
	if len(attrs) > MaxAttrs {
		return fmt.Errorf("attrs: %d keys with the unknown fields, at most %d", len(attrs), MaxAttrs)
	}
	var errs []error
	for key, value := range attrs {
		if len(key) > MaxAttrKey {
			errs = append(errs, fmt.Errorf("attrs: a key of %d bytes (%s), at most %d", len(key), clip(key), MaxAttrKey))
		}
		errs = append(errs, noNUL("attrs", key), noNUL("attrs."+clip(key), value))
	}
	return errors.Join(errs...)
}

func noNUL(name, s string) error {
	if i := strings.IndexByte(s, 0); i >= 0 {
		return fmt.Errorf("%s: a NUL character at byte %d; text holds none", name, i)
	}
	return nil
}
