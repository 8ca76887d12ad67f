package dashboard

import "hansei/deliver"

// deliveries is the log of reports that went to files, people and webhooks.
var deliveries = Page{Path: "/deliveries", Name: text{EN: "Deliveries", JA: "配信"}, Show: (*Dashboard).deliveries}

// maxDeliveries is how many are shown: more than a year of monthly and weekly
// ones to a few addressees.
const maxDeliveries = 200

type deliveriesPage struct {
	Rows []deliveryRow
	Cut  bool // there are more
}

type deliveryRow struct {
	deliver.Record
	Words string // its state in the reader's language
	Month bool   // the period is a month, so a report of it can be opened
}

// stateWords say what the states of a delivery mean.
var stateWords = map[deliver.State]text{
	deliver.Claimed: {EN: "under way", JA: "配信中"},
	deliver.Waiting: {EN: "waiting to try again", JA: "再試行待ち"},
	deliver.Sent:    {EN: "sent", JA: "送信済み"},
	deliver.Failed:  {EN: "failed", JA: "失敗"},
}

func (d *Dashboard) deliveries(q *request) error {
	records, err := d.Deliveries(q.r.Context())
	if err != nil {
		return err
	}
	data := deliveriesPage{Cut: len(records) > maxDeliveries}
	for _, r := range records[:min(len(records), maxDeliveries)] {
		data.Rows = append(data.Rows, deliveryRow{Record: r, Words: q.say(stateWords[r.State]), Month: r.Kind == deliver.Month})
	}
	q.Data = data
	return d.show(q, "deliveries")
}
