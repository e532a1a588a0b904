package mapping

// Jekyll is what a Jekyll configuration says of addresses.
type Jekyll struct{}
