package page

func (r *Reader) image(src []byte) {}
