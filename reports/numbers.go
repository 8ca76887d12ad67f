package reports

import (
	"database/sql"
	"math"
	"strconv"

	"hansei/queries"
)

// dash stands for a number that is not known. A dash is not a zero.
const dash = "-"

// fewIncidents is where a percentage begins to say more than "3 of 7": below
// it one incident moves the rate by more than ten points.
const fewIncidents = 10

// percent is part of whole without decimals, half rounded up. It reckons in
// whole numbers, so that no rounding of a fraction comes before it.
func percent(part, whole int64) string {
	if whole == 0 {
		return dash
	}
	return strconv.FormatInt((200*part+whole)/(2*whole), 10) + "%"
}

// mean is v with one decimal, half rounded up.
func (r *Report) mean(v sql.Null[float64]) string {
	if !v.Valid {
		return dash
	}
	return r.say(text{EN: "%s", JA: "%s回"}, strconv.FormatFloat(math.Round(v.V*10)/10, 'f', 1, 64))
}

// rated is how many incidents the resolution rate of g rests on.
func rated(g queries.Group) int64 { return g.Rated }

// ratio tells part of whole in words: "36 of 40", "40件中36件".
func (r *Report) ratio(part, whole int64) string {
	if r.Lang == JA {
		return group(whole) + "件中" + group(part) + "件"
	}
	return group(part) + " of " + group(whole)
}

// rate tells a rate with what it rests on: "90% (36 of 40)", or only "2 of 3"
// where there is too little for a percentage.
func (r *Report) rate(part, whole int64) string {
	if whole < fewIncidents {
		return r.ratio(part, whole)
	}
	return r.say(text{EN: "%s (%s)", JA: "%s（%s）"}, percent(part, whole), r.ratio(part, whole))
}

// group writes n with a comma at every thousand.
func group(n int64) string { return groupDigits(strconv.FormatInt(n, 10)) }

func groupDigits(digits string) string {
	if digits != "" && digits[0] == '-' {
		return "-" + groupDigits(digits[1:])
	}
	if len(digits) <= 3 {
		return digits
	}
	return groupDigits(digits[:len(digits)-3]) + "," + digits[len(digits)-3:]
}
