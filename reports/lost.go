package reports

import (
	"time"

	"hansei/queries"
)

// messageNoun counts messages of the stream, each with one event or many.
var messageNoun = noun{"%s message", "%s messages", "%s件"}

// lostName names the page of the books that counts what no source can be told of.
var lostName = text{EN: "(lost from the stream)", JA: "（ストリームから消失）"}

// Lost says what the stream lost before it was stored, in sentences: how much,
// when nobody knows how much, and what a new store never had. What was lost behind
// the span it tells last: history that was imported then may have been of it.
func (w Wording) Lost(losses []queries.Loss, span queries.Span) (told []string) {
	var within, behind []queries.Loss
	for _, l := range losses {
		if l.Kind != queries.LostStart && !l.Since.Before(span.To) {
			behind = append(behind, l)
		} else {
			within = append(within, l)
		}
	}
	known, unknown, start := summed(within)
	when := func(l lossSum) (string, string) { return l.between(span.Location) }
	if known.times > 0 {
		since, noticed := when(known)
		told = append(told, w.r.say(text{
			EN: "Lost from the stream before it was stored: %s, between %s and %s. The stream's age or size, a deletion, or damage took that away; a message holds one event or many, and none of them is in these numbers.",
			JA: "ストリームのメッセージ%s（%s～%s）が、保存前に失われました（保存期間・容量の上限、削除、または破損）。1件のメッセージには1件以上のイベントが含まれ、いずれも以下の数値に含まれていません。",
		}, w.r.count(known.messages, messageNoun), since, noticed))
	}
	if unknown.times > 0 {
		since, noticed := when(unknown)
		told = append(told, w.r.say(text{
			EN: "The stream lost its end, or was made anew, between %s and %s: what it held then and was not stored is lost, and nobody knows how much that was. These numbers may lack events.",
			JA: "%s～%sの間に、ストリームの末尾が失われたか、ストリームが作り直されました。当時未保存だったものは失われ、件数は不明です。以下の数値にはイベントの欠落がある可能性があります。",
		}, since, noticed))
	}
	if start.times > 0 {
		_, noticed := when(start)
		told = append(told, w.r.say(text{
			EN: "The store was new on %s, and its stream no longer held the first %s: what happened before may be missing here.",
			JA: "このストアは%sに新しく作られ、ストリームには最初の%sがすでにありませんでした。それ以前のものはここにない可能性があります。",
		}, noticed, w.r.count(start.messages, messageNoun)))
	}
	if len(behind) > 0 {
		told = append(told, w.lostBehind(behind, span.Location))
	}
	return told
}

// lostBehind says what was lost behind the time that is told of.
func (w Wording) lostBehind(losses []queries.Loss, loc *time.Location) string {
	known, unknown, _ := summed(losses)
	all := known
	much := w.r.count(known.messages, messageNoun)
	switch {
	case known.times == 0:
		all, much = unknown, w.r.say(text{EN: "an unknown number of messages", JA: "（件数不明）"})
	case unknown.times > 0:
		all.join(unknown)
		much = w.r.say(text{EN: "more than %s", JA: "（%s以上）"}, much)
	}
	since, noticed := all.between(loc)
	return w.r.say(text{
		EN: "After this time, between %s and %s, the stream lost %s before they were stored. Imported history or late events of this time may have been among them, and are then missing here.",
		JA: "この期間より後（%s～%s）に、ストリームのメッセージ%sが保存前に失われました。取り込んだ履歴や遅れて届いたイベントとしてこの期間のものが含まれていた場合、以下の数値から欠けています。",
	}, since, noticed, much)
}

// A lossSum is losses of one kind together.
type lossSum struct {
	times          int
	messages       int64
	since, noticed time.Time
}

func (s *lossSum) add(l queries.Loss) { s.join(lossSum{1, int64(l.Messages.V), l.Since, l.Noticed}) }

func (s *lossSum) join(l lossSum) {
	if s.times == 0 || l.since.Before(s.since) {
		s.since = l.since
	}
	if l.noticed.After(s.noticed) {
		s.noticed = l.noticed
	}
	s.times += l.times
	s.messages += l.messages
}

// between says when they happened.
func (s *lossSum) between(loc *time.Location) (since, noticed string) {
	const at = "2006-01-02 15:04"
	return s.since.In(loc).Format(at), s.noticed.In(loc).Format(at)
}

func summed(losses []queries.Loss) (known, unknown, start lossSum) {
	for _, l := range losses {
		switch {
		case l.Kind == queries.LostStart:
			start.add(l)
		case l.Messages.Valid:
			known.add(l)
		default:
			unknown.add(l)
		}
	}
	return known, unknown, start
}
