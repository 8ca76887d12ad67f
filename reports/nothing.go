package reports

import (
	"context"
	"slices"
	"strings"

	"hansei/queries"
)

// Absent is what explains that incidents are missing.
type Absent struct {
	Expired    []queries.Expired   // counts that outlive their events, of the months of the span
	Names      []queries.KnownName // those most like the filter's; nil: there are incidents, or no filter
	Quarantine int64               // pieces of bad input; 0 where there are incidents
}

func (a *Absent) expired() (incidents int64) {
	for _, e := range a.Expired {
		incidents += e.Incidents
	}
	return incidents
}

// askAbsent asks only what a report needs that lacks something.
func (r *Report) askAbsent(ctx context.Context, db queries.DB) (err error) {
	a := &r.Absent
	if r.Ledger.Aged() > 0 {
		if a.Expired, err = queries.Expireds(ctx, db, r.Span); err != nil {
			return err
		}
	}
	if r.Totals.Incidents > 0 {
		return nil
	}
	if a.Quarantine, err = queries.QuarantineSize(ctx, db); err != nil {
		return err
	}
	if r.Span.Filter != (queries.Filter{}) {
		a.Names, err = queries.KnownNames(ctx, db, r.Span.Filter)
	}
	return err
}

// nothing says that there were no incidents, and what to check when that is a
// surprise.
func (r *Report) nothing(b *Block) {
	b.Lead = []string{r.say(text{EN: "No incidents in %s.", JA: "%sのインシデントはありません。"}, r.period())}
	if r.Totals.Events > 0 {
		b.Lead = append(b.Lead, r.say(text{
			EN: "%s arrived, and none opened an incident.",
			JA: "イベントは%sありましたが、新しいインシデントは発生していません。",
		}, r.count(r.Totals.Events, eventNoun)))
	}
	if r.Ledger.Aged() > 0 {
		r.onlyCounts(b)
	}
	unknown := r.unknownNames()
	b.Points = append(b.Points, unknown...)
	switch shown := r.Months[:min(len(r.Months), 6)]; {
	case len(shown) == 0:
		b.Points = append(b.Points, Point{Text: r.say(text{
			EN: "The store has no incidents at all: publish or import some first.",
			JA: "保存されたインシデントが一件もありません。先に送信または取り込みを行ってください。"}),
			Command: "hansei import --help"})
	case len(unknown) == 0:
		b.Points = append(b.Points, Point{Text: r.monthsThere(shown)})
	}
	if len(unknown) == 0 {
		b.Points = append(b.Points, Point{Text: r.say(text{
			EN: "Days are those of the time zone %s; another one is set with --timezone.",
			JA: "日付のタイムゾーンは%sです。--timezone で変更できます。",
		}, r.Span.Location)})
	}
	if r.Absent.Quarantine > 0 {
		b.Points = append(b.Points, Point{Text: r.say(text{
			EN: "Events that could not be read are kept aside; see them with",
			JA: "読み取れなかったイベントは隔離されています。確認するには："}),
			Command: "hansei quarantine list"})
	}
}

// onlyCounts tells what is left of a time whose events have expired.
func (r *Report) onlyCounts(b *Block) {
	b.Lead = append(b.Lead, r.say(text{
		EN: "Its events have expired: %s deleted, being older than events are kept (serve --keep).",
		JA: "この期間のイベント%sは、保存期間（serve --keep）を過ぎたため削除されました。",
	}, r.count(r.Ledger.Aged(), eventNoun)))
	if len(r.Absent.Expired) == 0 {
		return
	}
	b.Lead = append(b.Lead, r.say(text{
		EN: "Still counted by month in UTC, as in v_monthly: %s.",
		JA: "月別（UTC）の件数は残っています（v_monthly）：%s。",
	}, r.count(r.Absent.expired(), incidentNoun)))
	b.Table = &Table{
		Caption: r.say(text{EN: "What is counted still, by error code", JA: "残っている件数（エラーコード別）"}),
		Columns: []string{r.say(text{EN: "Error code", JA: "エラーコード"}), r.say(incidentsColumn), r.say(rateColumn), r.say(retriesColumn)},
	}
	for _, e := range r.Absent.Expired {
		g := queries.Group{Incidents: e.Incidents, Resolved: e.Resolved, Rated: e.Rated}
		b.Table.Rows = append(b.Table.Rows, []Cell{{Text: r.name(queries.ByCode, e.Code)}, number(e.Incidents), rateCell(g),
			{Text: r.mean(quotient(e.Retries, e.WithAttempts)), Numeric: true}})
	}
	if n := b.Table.shorten(); n > 0 {
		b.Notes = append(b.Notes, r.shortenNote(n))
	}
}

// unknownNames tells of each name of the filter that no incident ever had, and
// which names come close.
func (r *Report) unknownNames() (points []Point) {
	f := r.Span.Filter
	for _, part := range []struct {
		kind, asked string
		never       text
	}{
		{"agent", f.Agent, text{EN: "No incident of the agent %s is stored.", JA: "エージェント「%s」のインシデントは保存されていません。"}},
		{"operation", f.Operation, text{EN: "No incident of the operation %s is stored.", JA: "操作「%s」のインシデントは保存されていません。"}},
		{"category", f.Category, text{EN: "No incident of the category %s is stored.", JA: "カテゴリ「%s」のインシデントは保存されていません。"}},
		{"provider", f.Provider, text{EN: "No incident of the provider %s is stored.", JA: "プロバイダー「%s」のインシデントは保存されていません。"}},
	} {
		var close []string
		known := slices.ContainsFunc(r.Absent.Names, func(n queries.KnownName) bool {
			if n.Kind == part.kind {
				close = append(close, clean(n.Name))
			}
			return n.Kind == part.kind && n.Known
		})
		if part.asked == "" || known {
			continue
		}
		told := r.say(part.never, clean(part.asked))
		if len(close) > 0 {
			told += r.say(text{EN: " The closest names: %s.", JA: "近い名前：%s。"}, strings.Join(close, r.say(text{EN: ", ", JA: "、"})))
		}
		points = append(points, Point{Text: told})
	}
	return points
}
