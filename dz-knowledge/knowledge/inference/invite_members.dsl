# Members and invitations
# triggers: invite a colleague; join a team; roles in each organisation; member list; several roles per person
# suggests_for: membership; tenancy
# A `user_membership` entity holds account, tenant and personas, and dz sends the invitation.

entity Club "Club":
  archetype: tenant
  id: uuid pk
  name: str(80) required unique

entity Member "Member":
  archetype: user_membership
  id: uuid pk
  nickname: str(40)
