"""What a robot can be asked, a file a topic: methods with their documentation."""
