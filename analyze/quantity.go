package analyze

import (
	"fmt"
	"strconv"
)

// A unit is what a threshold counts. Its names are formats of a number.
type unit struct{ name, one, many, ja string }

// unitOf returns the unit of a knob; of one that is not known it has no words.
func unitOf(knob string) unit {
	switch knob {
	case maxRetriesKnob:
		return unit{"retries", "%s retry", "%s retries", "%s回"}
	case delaysKnob, timeoutName:
		return unit{"s", "%s s", "%s s", "%s秒"}
	case callDepthName:
		return unit{"calls", "%s call", "%s calls", "%s回"}
	case retryBudgetName:
		return unit{"percent of calls", "%s%% of calls", "%s%% of calls", "呼び出しの%s%%"}
	case stopAfterName:
		return unit{"errors", "%s error", "%s errors", "%s回"}
	case scoreBarName:
		return unit{"points", "%s point", "%s points", "%s点"}
	}
	return unit{"", "%s", "%s", "%s"}
}

// UnitOf names the unit of a knob's values, as JSON has it; empty: not known.
func UnitOf(knob string) string { return unitOf(knob).name }

// Quantity writes a value of a knob with its unit; nil is a dash.
func Quantity(knob string, v *int64) Text {
	if v == nil {
		return Text{EN: "-", JA: "-"}
	}
	return QuantityOf(knob, strconv.FormatInt(*v, 10))
}

// QuantityOf is Quantity of a setting as a policy file writes it.
func QuantityOf(knob, setting string) Text {
	u := unitOf(knob)
	if setting == "1" {
		return Text{EN: fmt.Sprintf(u.one, setting), JA: fmt.Sprintf(u.ja, setting)}
	}
	return Text{EN: fmt.Sprintf(u.many, setting), JA: fmt.Sprintf(u.ja, setting)}
}

// retries writes a number of retries.
func retries(n int) Text { return Quantity(maxRetriesKnob, number(n)) }
