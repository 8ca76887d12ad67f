package ingest

import (
	"encoding/json"
	"time"
)

// A property is what JSON Schema says of one field.
type property struct {
	Description          string    `json:"description"`
	Type                 any       `json:"type,omitempty"` // a name, or a list of names
	Format               string    `json:"format,omitempty"`
	Enum                 []any     `json:"enum,omitempty"`
	Default              Kind      `json:"default,omitempty"`
	MaxLength            int       `json:"maxLength,omitempty"`
	Minimum              *int64    `json:"minimum,omitempty"`
	Maximum              int64     `json:"maximum,omitempty"`
	MaxProperties        int       `json:"maxProperties,omitempty"`
	AdditionalProperties *property `json:"additionalProperties,omitempty"`
}

// Schema returns the JSON Schema (draft 2020-12) of an event, made from the
// list of fields that decoding uses. JSON Schema counts characters where the
// contract counts bytes, so an event of wide characters can pass the schema
// and still be too long.
func Schema() []byte {
	properties := orderedProperties{}
	var required []string
	for i := range fields {
		f := &fields[i]
		properties = append(properties, namedProperty{f.name, f.property()})
		if f.want {
			required = append(required, f.name)
		}
	}
	schema := struct {
		Schema      string            `json:"$schema"`
		Title       string            `json:"title"`
		Description string            `json:"description"`
		Type        string            `json:"type"`
		Required    []string          `json:"required"`
		Properties  orderedProperties `json:"properties"`
	}{
		"https://json-schema.org/draft/2020-12/schema",
		"Hansei event",
		"One observation of an AI agent: an attempt failed, an attempt passed, or an incident ended. At most 64 KiB of UTF-8; a message holds one, or an array of at most 1000. null means absent.",
		"object", required, properties,
	}
	out, err := json.MarshalIndent(schema, "", "  ")
	if err != nil {
		panic(err) // the types above always marshal
	}
	return append(out, '\n')
}

func (f *field) property() property {
	p := property{Description: f.doc, MaxLength: f.max}
	switch f.at(new(Event)).(type) {
	case *time.Time:
		p.Type, p.Format = "string", "date-time"
	case *Kind:
		p.Type, p.Default = "string", Failure
		for _, kind := range f.enum {
			p.Enum = append(p.Enum, kind)
		}
		p.Enum = append(p.Enum, nil)
	case *Opt[int64]:
		p.Type, p.Minimum, p.Maximum = "integer", &f.min, f.most
	case *Opt[float64]:
		p.Type, p.Minimum, p.Maximum = "number", &f.min, f.most
	case *map[string]string:
		p.Type, p.MaxProperties = "object", MaxAttrs
		p.AdditionalProperties = &property{Description: "A value that is no string is kept as its JSON text."}
	default:
		p.Type = "string"
		if f.num {
			p.Type = []string{"string", "integer"}
		}
	}
	if !f.want {
		p.Type = nullable(p.Type)
	}
	return p
}

// nullable adds null to a type: an absent field may be written as null.
func nullable(t any) []string {
	if names, ok := t.([]string); ok {
		return append(names, "null")
	}
	return []string{t.(string), "null"}
}

type namedProperty struct {
	name string
	property
}

// orderedProperties keeps the contract's order, which a map would lose.
type orderedProperties []namedProperty

func (o orderedProperties) MarshalJSON() ([]byte, error) {
	out := []byte{'{'}
	for i, p := range o {
		if i > 0 {
			out = append(out, ',')
		}
		value, err := json.Marshal(p.property)
		if err != nil {
			return nil, err
		}
		out = append(append(AppendQuote(out, p.name), ':'), value...)
	}
	return append(out, '}'), nil
}
