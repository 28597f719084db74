entity Kite:
	id: uuid pk
	name: str(30) required
	span: decimal(4,2)
	date: date = today
	json: json = {}
	slug: slug unique?
	url: url
	state: enum[sewn, flown, torn] = sewn
	pilot: ref User = current_user
	transitions:
		sewn -> flown
		sewn, flown -> torn "Tear"
		final: flown
		failed: torn
	invariant: url = null or slug != null
		message: "A page needs a slug"
	permit:
		list: true
		read: true
		create: role(flyer)
		update: pilot = current_user or
			role(flyer)
	index date desc
surface kites:
	uses entity Kite
	mode: list
	section main:
		field name
		field span
		field pilot.name "Pilot"
	ux:
		sort: date desc
		filter: state
		search: name
workspace beach:
	sky "In the sky":
		source: Kite
		filter: state = flown and date = today
		display: grid
		action: kites
