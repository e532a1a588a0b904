package mapping

// Plain is what the generators without dates in their addresses can be told.
type Plain struct{}
