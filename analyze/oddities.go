package analyze

import (
	"fmt"

	"hansei/queries"
)

// A Note tells of input that is not as it should be, how many incidents are
// concerned, and what was done about it.
type Note struct {
	What      string `json:"what"`
	Incidents int    `json:"incidents"`
	Text      Text   `json:"text"`
}

// oddities counts the incidents whose attempts are not as they should be.
type oddities struct {
	skipped, backwards, outcomes, caps, negative, first, noWait, again, alike int // incidents
	lone                                                                      int // operations
	expired                                                                   int // incidents, of the months of UTC that the span touches
	beyond                                                                    int // incidents, see goesBeyond
	single, neverWon, alwaysWon                                               int // cells

	bursts int    // incidents, see burstsLeftIn
	burst  Outage // the largest of them
}

// An oddity is in which ways one incident is not as it should be, a bit each.
type oddity uint8

// oddityOf looks at one incident and its attempts, which come by number.
func oddityOf(t *queries.Tried, attempts []queries.Attempt, c *Chain) (of oddity) {
	var skips, back, caps, negative, noWait bool
	seen := int64(-1)
	for i := range attempts {
		a := &attempts[i]
		skips = skips || a.Attempt != int64(i+1)
		back = back || i > 0 && a.At.Before(attempts[i-1].At)
		negative = negative || a.WaitMS.Valid && a.WaitMS.V < 0 || a.DurationMS.Valid && a.DurationMS.V < 0 || a.Tokens.Valid && a.Tokens.V < 0
		noWait = noWait || a.Attempt > 1 && a.WaitMS.Valid && a.WaitMS.V == 0
		if a.MaxRetries.Valid {
			caps = caps || seen >= 0 && seen != a.MaxRetries.V
			seen = a.MaxRetries.V
		}
	}
	passedFirst := t.BySuccess && t.Resolved && c.Retries == 0
	for i, is := range [...]bool{skips, back, t.Outcomes > 1, caps, negative, passedFirst, noWait, t.FailedAgain > 0} {
		if is {
			of |= 1 << i
		}
	}
	return of
}

// count adds an incident.
func (o *oddities) count(of oddity) {
	if of == 0 {
		return
	}
	for i, n := range [...]*int{&o.skipped, &o.backwards, &o.outcomes, &o.caps, &o.negative, &o.first, &o.noWait, &o.again} {
		if of&(1<<i) != 0 {
			*n++
		}
	}
}

// countCell looks at the incidents of a cell.
func (o *oddities) countCell(of *counted) {
	o.beyond += of.beyond
	if of.incidents() == 1 {
		o.single++
		return
	}
	ends := of.sighted()
	if ends.longest() == 0 {
		return
	}
	switch retried := sum(ends.made[1:]); {
	case sum(ends.won[1:]) == 0:
		o.neverWon++
	case ends.won[1] == retried:
		o.alwaysWon++
	}
}

// addCells adds the cells that p counted.
func (o *oddities) addCells(p *oddities) {
	o.beyond += p.beyond
	o.single += p.single
	o.neverWon += p.neverWon
	o.alwaysWon += p.alwaysWon
}

// countBursts counts the incidents of bursts that were left in.
func (o *oddities) countBursts(of []Outage) {
	for _, b := range of {
		if o.bursts += b.Incidents; b.Incidents > o.burst.Incidents {
			o.burst = b
		}
	}
}

// notes tells what was counted, nothing of what was not there.
func (o *oddities) notes() []Note {
	out := []Note{}
	const minute = "2006-01-02 15:04"
	from, to := o.burst.From.UTC().Format(minute), o.burst.To.UTC().Format(minute)
	for _, n := range []struct {
		what   string
		count  int
		en, ja string
	}{
		{"expired", o.expired, "Incidents of this time (by months of UTC) of which only counts are left, as their events have expired: %d. They tell nothing of retries.", "この期間（UTCの月単位）のインシデントのうち%d件は、イベントの保存期間が過ぎて件数しか残っておらず、リトライについては何も分かりません。"},
		{"bursts of a small fleet", o.bursts, "Incidents of hours in which their category burst out: %d, the largest burst from " + from + " to " + to + " UTC. Of one or two agents nothing tells whether the provider failed or they did: these incidents are learned from like all others, not left out as an outage. To see what they change, ask for the time before and after them with --from and --to.", "急増した時間のインシデントが%d件あります（最大の急増は" + from + "〜" + to + " UTC）。エージェントが1〜2個では、プロバイダーの障害かエージェント自身の問題かを区別できないため、障害として除外せず、ほかと同じように学習しました。影響を確かめるには、--from と --to でその前後の期間を指定してください。"},
		{"attempts skip", o.skipped, "Incidents whose attempts skip a number: %d. What is left out counts as made and lost, at an unknown price.", "%d件のインシデントで試行番号が飛んでいます。抜けた試行は失敗、費用不明として扱いました。"},
		{"attempts go back in time", o.backwards, "Incidents whose later attempts have earlier times, as with clocks that differ: %d. The numbers are trusted, the times are not used for delays.", "%d件のインシデントで後の試行の時刻が前の試行より早くなっています。番号を優先し、時刻は待ち時間の推定に使いません。"},
		{"two outcomes", o.outcomes, "Incidents with more than one outcome: %d. The latest counts.", "%d件のインシデントに結果が複数あります。最後の結果を採用しました。"},
		{"failed after it passed", o.again, "Incidents that failed again after they had passed: %d. The success counts, and what failed after it is no retry.", "%d件のインシデントは成功した後に再び失敗しています。成功で解決したと数え、その後の失敗はリトライに含めません。"},
		{"cap changes inside", o.caps, "Incidents whose cap changed between attempts: %d. The last one is taken to be in force.", "%d件のインシデントの途中で上限が変わっています。最後の上限を採用しました。"},
		{"beyond their limit", o.beyond, "Incidents that made more retries than their limit allows: %d. They count as they were: a limit that is not obeyed changes nothing of them.", "%d件のインシデントは上限より多くリトライしています。記録どおりに数えました。守られない上限を変えても、これらの件は変わりません。"},
		{"negative figures", o.negative, "Incidents with a negative wait, duration or token count: %d. It is taken as unknown.", "%d件のインシデントに負の待ち時間・所要時間・トークン数があります。不明として扱いました。"},
		{"passed at the first attempt", o.first, "Incidents that were resolved by an attempt that was no retry: %d. They tell nothing of retries.", "%d件のインシデントはリトライなしで解決しており、リトライの評価には含めません。"},
		{"waits of zero", o.noWait, "Incidents with a retry that did not wait: %d. It counts as one that cost no waiting.", "%d件のインシデントに待ち時間0のリトライがあります。待ち時間の費用なしとして扱いました。"},
		{"names alike", o.alike, "Incidents whose names cannot be told from those of others: %d. They are left out.", "%d件のインシデントは名前を他と区別できないため、除外しました。"},
		{"success without failures", o.lone, "Operations that passed at a retry, but whose failures nobody reported: %d. They are no incidents and are left out.", "%d件の操作はリトライで成功していますが、失敗が報告されていません。インシデントとせず、除外しました。"},
		{"cells that never recovered", o.neverWon, "Cells in which no retry ever resolved anything: %d. That none ever will is not taken for granted.", "%d個の区分では、リトライで解決した例がありません。今後も解決しないとまでは見なしません。"},
		{"cells that recovered at once", o.alwaysWon, "Cells in which the first retry resolved everything: %d. Of further retries they tell nothing.", "%d個の区分では、1回目のリトライですべて解決しています。2回目以降については何も分かりません。"},
		{"cells of one incident", o.single, "Cells with a single incident: %d. They lean on the cells around them and never decide alone.", "%d個の区分はインシデントが1件だけです。単独では判断せず、周囲の区分を参照します。"},
	} {
		if n.count > 0 {
			out = append(out, Note{n.what, n.count, Text{EN: fmt.Sprintf(n.en, n.count), JA: fmt.Sprintf(n.ja, n.count)}})
		}
	}
	return out
}
