app tasks "Fieldwork"
  description: "Projects and tasks of a survey office"
