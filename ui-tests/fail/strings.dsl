app notes "Notes":
  description: "All \q notes"

service mail "Mail":
  url: https://mail.example/send

entity Note "Note:
  id: uuid pk
