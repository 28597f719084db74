entity Dive "Dive":
	id: uuid pk
	site: str(60) required
	depth_m: decimal(5,1) required
	minutes: int required
	gas: enum[air, nitrox, trimix] = air
	buddy: ref User
	leader: ref User = current_user
	date: date = today
	url: url
	email: email
	index: int
	status: enum[planned, done, "called off"] = planned
	gas_used: computed round(depth_m * minutes / 10, 1)
	transitions:
		planned -> done: role(divemaster) requires buddy
		planned -> "called off"
		final: done
		failed: "called off"
	invariant: email != null or url != null
		message: "Leave one contact"
	invariant: depth_m <= 40 or gas = trimix
		message: "Deep dives need trimix"
		code: TOO_DEEP
	permit:
		list: role(divemaster) or leader = current_user or
			buddy = current_user
		read: role(divemaster) or leader = current_user or buddy = current_user
		create: authenticated
		update: role(divemaster) or leader = current_user
	index date desc
	unique leader, date where status in [planned, done]

surface dive_list "Dives":
	uses entity Dive
	mode: list
	section main:
		field site
		field depth_m
		field gas_used
	ux:
		sort: date desc
		filter: gas, status
		search: site
		attention notice:
			when: depth_m > 30
			message: "Deep"
