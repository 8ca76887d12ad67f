//go:build duckdb_arrow

package analyze

import (
	"context"
	"database/sql"
	"database/sql/driver"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/duckdb/duckdb-go/v2"

	"hansei/queries"
)

// Staging says how rows reach DuckDB in this program.
const Staging = "arrow"

// stage shows the first columns of frames to SQL as view name, to be read one
// time after the other. It belongs to the transaction that is open on conn: done drops the view, which
// the driver can only make a lasting one, before the transaction commits.
func stage(ctx context.Context, conn *sql.Conn, name string, columns []shape, frames []frame) (done func() error, err error) {
	reader := newReader(columns, frames)
	var release func()
	err = conn.Raw(func(c any) error {
		a, err := duckdb.NewArrowFromConn(c.(driver.Conn))
		if err != nil {
			return err
		}
		release, err = a.RegisterView(reader, name)
		return err
	})
	if err != nil {
		return nil, err
	}
	return func() error {
		defer release()
		return queries.DropStagedView(ctx, conn, name)
	}, nil
}

// A reader gives frames as Arrow records, which share their memory.
type reader struct {
	columns []shape
	frames  []frame
	next    int // of frames
	schema  *arrow.Schema
	record  arrow.RecordBatch
	zeros   []byte // stands for every buffer of a column whose rows are absent
}

var _ array.RecordReader = (*reader)(nil)

func newReader(columns []shape, frames []frame) *reader {
	r := &reader{columns: columns, frames: frames}
	var fields []arrow.Field
	for _, c := range columns {
		fields = append(fields, arrow.Field{Name: c.name, Type: arrowTypes[c.kind], Nullable: true})
	}
	r.schema = arrow.NewSchema(fields, nil)
	most := 0
	for i := range frames {
		most = max(most, frames[i].to)
	}
	r.zeros = make([]byte, 8*(most+1))
	return r
}

var arrowTypes = [...]arrow.DataType{
	kindText: arrow.BinaryTypes.String, kindWhole: arrow.PrimitiveTypes.Int64, kindReal: arrow.PrimitiveTypes.Float64,
	kindTruth: arrow.FixedWidthTypes.Boolean, kindMoment: arrow.FixedWidthTypes.Timestamp_us,
}

// Schema tells the columns.
func (r *reader) Schema() *arrow.Schema { return r.schema }

// Next makes the record of the next frame, if there is one.
func (r *reader) Next() bool {
	r.Release()
	if r.next == len(r.frames) {
		r.next = 0 // a second statement reads from the start
		return false
	}
	f := &r.frames[r.next]
	r.next++
	arrays := make([]arrow.Array, len(r.columns))
	for i, c := range r.columns {
		arrays[i] = r.array(c.kind, &f.columns[i], f.from, f.to)
	}
	r.record = array.NewRecordBatch(r.schema, arrays, int64(f.to-f.from))
	for _, a := range arrays {
		a.Release() // the record holds it
	}
	return true
}

// array returns the rows of p from row from up to row to.
func (r *reader) array(k kind, p *packed, from, to int) arrow.Array {
	known, ends, values, absent := p.known, p.ends, p.values, array.UnknownNullCount
	switch {
	case p.rows == 0:
		known, ends, values, absent = r.zeros, r.zeros, r.zeros, to-from
	case p.absent == 0:
		known, absent = nil, 0
	}
	buffers := []*memory.Buffer{nil, memory.NewBufferBytes(values)}
	if k == kindText {
		buffers = []*memory.Buffer{nil, memory.NewBufferBytes(ends), memory.NewBufferBytes(values)}
	}
	if known != nil {
		buffers[0] = memory.NewBufferBytes(known)
	}
	data := array.NewData(arrowTypes[k], to-from, buffers, nil, absent, from)
	defer data.Release()
	return array.MakeFromData(data)
}

// RecordBatch returns what Next made; it is valid until Next is called again.
func (r *reader) RecordBatch() arrow.RecordBatch { return r.record }

// Record is the old name of RecordBatch.
func (r *reader) Record() arrow.RecordBatch { return r.record }

// Err is nil: making a record cannot fail.
func (r *reader) Err() error { return nil }

// Retain does nothing: the frames are the caller's, who outlives the reader.
func (r *reader) Retain() {}

// Release lets the present record go.
func (r *reader) Release() {
	if r.record != nil {
		r.record.Release()
		r.record = nil
	}
}
